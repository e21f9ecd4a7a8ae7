#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/sample_size_text.h"
#include "ifd/error.h"

namespace ifd::cli {
namespace plan_peak_command {
namespace {

struct Options {
  std::vector<double> accuracies;
  std::size_t classes = 0;
  double best = .9;
  double gap = 0;
  double delta = .05;
  bool json = false;
};

std::vector<double> accuracies_of(const Options& options) {
  if (options.accuracies.empty() == (options.classes == 0)) {
    throw Error(ErrorKind::kUsage, "plan peak needs either --accuracies or --classes with --gap");
  }
  if (!options.accuracies.empty()) return options.accuracies;
  if (options.classes < 2 || options.classes > 10000) {
    throw Error(ErrorKind::kUsage, fmt::format("--classes {}: expected 2..10000", options.classes));
  }
  if (!(options.gap > 0 && options.gap <= options.best)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--gap {}: expected more than 0 and no more than --best {}",
                            options.gap, options.best));
  }
  // The hardest case for that gap: every other class just that much worse.
  std::vector<double> accuracies(options.classes, options.best - options.gap);
  accuracies[0] = options.best;
  return accuracies;
}

int run(const Options& options, const Program& program) {
  const std::vector<double> accuracies = accuracies_of(options);
  const SampleSizePlan plan =
      placed("plan peak", [&] { return plan_peak_class(accuracies, options.delta, program.seed); });
  if (!options.json) {
    write_output("", sample_size_text(plan, options.delta));
    return 0;
  }
  std::vector<double> sorted = accuracies;
  std::sort(sorted.rbegin(), sorted.rend());
  write_output("",
               sample_size_json(
                   plan, options.delta,
                   {{"kind", "peak"}, {"accuracies", accuracies}, {"gap", sorted[0] - sorted[1]}}));
  return 0;
}

}  // namespace
}  // namespace plan_peak_command

void add_plan_peak_command(CLI::App& plan, Program& program) {
  using namespace plan_peak_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_leaf(plan, program, "peak", "Answers per class until an expert's best class is known",
               "ifd plan peak --accuracies 0.9,0.7,0.6 --delta 0.05",
               [options, &program] { return run(*options, program); });
  command
      ->add_option("--accuracies", options->accuracies, "The expert's true accuracy on each class")
      ->delimiter(',')
      ->type_name("NUMBER,...");
  command->add_option("--classes", options->classes, "How many classes, with --best and --gap");
  command->add_option("--best", options->best, "Accuracy on the best class")->capture_default_str();
  command->add_option("--gap", options->gap, "How much worse every other class is");
  command->add_option("--delta", options->delta, "Allowed chance of failure")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
