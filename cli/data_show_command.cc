#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/text_table.h"
#include "ifd/data/medmnist.h"
#include "ifd/data/visible_text.h"

namespace ifd::cli {
namespace data_show_command {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::filesystem::path file;
  bool json = false;
};

ordered_json to_json(const MedmnistSummary& summary) {
  ordered_json splits = ordered_json::array();
  for (const auto& split : summary.splits) {
    splits.push_back({{"split", split_name(split.split)},
                      {"cases", split.count},
                      {"height", split.height},
                      {"width", split.width},
                      {"channels", split.channels},
                      {"class_counts", split.class_counts}});
  }
  return {{"schema", "ifd images 1"}, {"classes", summary.classes}, {"splits", splits}};
}

std::string to_text(const MedmnistSummary& summary) {
  TextTable table({"split", "cases", "image", "cases per class"});
  for (const auto& split : summary.splits) {
    table.add({std::string(split_name(split.split)), std::to_string(split.count),
               fmt::format("{}x{}x{}", split.height, split.width, split.channels),
               fmt::format("{}", fmt::join(split.class_counts, " "))});
  }
  return table.text();
}

int run(const Options& options, const ReadLimits& limits) {
  const MedmnistSummary summary = summarize_medmnist(options.file, limits);
  write_output("", options.json ? escaped_json(to_json(summary).dump(2) + "\n") : to_text(summary));
  return 0;
}

}  // namespace
}  // namespace data_show_command

void add_data_show_command(CLI::App& data, Program& program) {
  using namespace data_show_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_leaf(data, program, "show", "Say what an NPZ of images in MedMNIST layout holds",
               "ifd data show bloodmnist.npz",
               [options, &program] { return run(*options, program.limits); });
  command->add_option("FILE", options->file, "The file")->required();
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
