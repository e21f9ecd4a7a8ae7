#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/text_table.h"
#include "command_line/predictions_format_option.h"
#include "ifd/data/utf8.h"
#include "ifd/data/visible_text.h"
#include "ifd/router/file_report.h"

namespace ifd::cli {
namespace check_command {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::vector<std::filesystem::path> files;
  PredictionsFormatOptions format = {};
  bool json = false;
};

// "3: cat, dog, cow"; of many only the first.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(kShown, names.size()); ++i) {
    shown.push_back(excerpt(names[i]));
  }
  return fmt::format("{}: {}{}", names.size(), fmt::join(shown, ", "),
                     names.size() > kShown ? ", ..." : "");
}

std::string text_of(const FileReport& report) {
  const std::string_view what =
      report.readable() || report.kind != FileKind::kOther ? word_for(report.kind) : "not known";
  std::string out = bold(visible_text(fmt::format("{}: {}{}", report.file, what,
                                                  report.readable() ? "" : ", cannot be read")),
                         STDOUT_FILENO) +
                    "\n";
  const auto tell = [&](const std::string& line) {
    const std::size_t width = text_width();
    std::string lines = wrapped(line, std::max<std::size_t>(width, 30) - 4);
    for (std::size_t at = 0; (at = lines.find('\n', at)) != std::string::npos; at += 5) {
      lines.replace(at, 1, "\n    ");
    }
    out += fmt::format("  {}\n", lines);
  };
  if (!report.columns.empty()) tell(fmt::format("columns {}", listed(report.columns)));
  if (!report.arrays.empty()) tell(fmt::format("arrays {}", listed(report.arrays)));
  if (!report.classes.empty()) tell(fmt::format("classes {}", listed(report.classes)));
  if (!report.experts.empty()) tell(fmt::format("experts {}", listed(report.experts)));
  if (report.rows) tell(fmt::format("rows {}", *report.rows));
  if (report.cases) tell(fmt::format("cases {}", *report.cases));
  for (const std::string& fact : report.facts) tell(fact);
  for (const std::string& note : report.notes) tell(fmt::format("note: {}", note));
  for (const std::string& odd : report.odd) tell(fmt::format("odd: {}", odd));
  if (!report.readable()) tell(fmt::format("error: {}", report.error));
  return out;
}

ordered_json json_of(const FileReport& report) {
  const auto number = [](const std::optional<std::size_t>& value) {
    return value ? ordered_json(*value) : ordered_json(nullptr);
  };
  return {{"file", report.file},
          {"kind", word_for(report.kind)},
          {"readable", report.readable()},
          {"error", report.readable() ? ordered_json(nullptr) : ordered_json(report.error)},
          {"columns", report.columns},
          {"arrays", report.arrays},
          {"classes", report.classes},
          {"experts", report.experts},
          {"rows", number(report.rows)},
          {"cases", number(report.cases)},
          {"facts", report.facts},
          {"notes", report.notes},
          {"odd", report.odd}};
}

int run(const Options& options, const Program& program) {
  const std::vector<FileReport> reports =
      report_files(options.files, program.limits, options.format.format());
  std::string text;
  ordered_json files = ordered_json::array();
  for (const FileReport& report : reports) {
    if (options.json) {
      files.push_back(json_of(report));
    } else {
      text += text_of(report);
    }
  }
  if (options.json) {
    text = ordered_json{{"schema", "ifd check 1"}, {"files", std::move(files)}}.dump(
               2, ' ', false, ordered_json::error_handler_t::replace) +
           "\n";
  }
  write_output("", options.json ? escaped_json(std::move(text)) : text);
  const bool all = std::all_of(reports.begin(), reports.end(),
                               [](const FileReport& report) { return report.readable(); });
  return all ? 0 : outside_meaning(ErrorKind::kBadInput).exit_code;
}

}  // namespace
}  // namespace check_command

void add_check_command(CLI::App& app, Program& program) {
  using namespace check_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command =
      add_leaf(app, program, "check", "Say what files are, and what is odd, before any work",
               "ifd check predictions.csv context.csv answers.csv",
               [options, &program] { return run(*options, program); });
  command
      ->add_option("FILE", options->files,
                   "Files of any kind; predictions among them say which classes and cases the "
                   "others should have")
      ->required();
  options->format.add_to(*command);
  command->add_flag("--json", options->json, "Print JSON instead of text");
}

}  // namespace ifd::cli
