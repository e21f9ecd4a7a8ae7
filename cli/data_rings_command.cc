#include <fmt/format.h>

#include <memory>

#include "cli/command.h"
#include "command_line/file_options.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/rings.h"
#include "ifd/error.h"

namespace ifd::cli {
namespace data_rings_command {
namespace {

constexpr std::size_t kMostCases = 100'000'000;

struct Options {
  RingsOptions rings;
  std::filesystem::path output;
};

int run(const Options& options, const Program& program) {
  RingsOptions wanted = options.rings;
  wanted.seed = program.seed;
  if (wanted.cases < 1 || wanted.cases > kMostCases) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--cases {}: expected 1..{}", wanted.cases, kMostCases));
  }
  const Predictions made = ring_predictions(wanted);
  write_predictions(options.output, made);
  program.terminal.note(
      fmt::format("{}: {} cases of split '{}' with their true class probabilities",
                  options.output.string(), made.size(), wanted.split));
  return 0;
}

}  // namespace
}  // namespace data_rings_command

void add_data_rings_command(CLI::App& data, Program& program) {
  using namespace data_rings_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_leaf(data, program, "rings",
                               "Generate the toy's three rings with their true class probabilities",
                               "ifd data rings --cases 1000 --split test -o rings.npz",
                               [options, &program] { return run(*options, program); });
  command->add_option("--cases", options->rings.cases, "How many")->capture_default_str();
  command->add_option("--base-noise", options->rings.base_noise, "Of the radius")
      ->capture_default_str();
  command->add_option("--sigma", options->rings.gaussian_sigma, "Of the Gaussian noise on top")
      ->capture_default_str();
  command->add_option("--split", options->rings.split, "Another split has other draws")
      ->capture_default_str();
  command->add_option("-o,--output", options->output, "NPZ or CSV (which has no features)")
      ->required()
      ->type_name(kFileWritten);
}

}  // namespace ifd::cli
