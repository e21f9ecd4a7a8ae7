#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/text_table.h"
#include "command_line/data_directory.h"
#include "fetch/catalogue.h"
#include "fetch/download.h"
#include "ifd/data/visible_text.h"

namespace ifd::cli {
namespace data_list_command {
namespace {

using nlohmann::ordered_json;

struct Options {
  std::filesystem::path directory = data_directory();
  bool verify = false;
  bool json = false;
};

const char* presence_text(const LocalState& state) {
  if (state.verification == Verification::kWrong) return "wrong bytes";
  switch (state.presence) {
    case Presence::kAbsent:
      return "absent";
    case Presence::kPartial:
      return "partial";
    case Presence::kPresent:
      return state.verification == Verification::kVerified ? "verified" : "present";
  }
  return "";
}

std::string to_json(const Options& options, const std::vector<LocalState>& states) {
  ordered_json files = ordered_json::array();
  for (const LocalState& state : states) {
    files.push_back({{"name", state.file->name},
                     {"file", (options.directory / state.file->file_name).string()},
                     {"state", presence_text(state)},
                     {"bytes", state.bytes},
                     {"classes", state.file->classes},
                     {"licence", state.file->licence},
                     {"address", state.file->address}});
  }
  const ordered_json out = {
      {"schema", "ifd data list 1"}, {"directory", options.directory.string()}, {"files", files}};
  // A path may be any bytes; JSON is UTF-8.
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string to_text(const Options& options, const std::vector<LocalState>& states) {
  TextTable table({"name", "state", "classes", "licence", "what"});
  for (const LocalState& state : states) {
    table.add({std::string(state.file->name), presence_text(state),
               std::to_string(state.file->classes), std::string(state.file->licence),
               std::string(state.file->description)});
  }
  return table.text() + "\nin " + visible_text(options.directory.string()) + "\n";
}

int run(const Options& options) {
  const auto states =
      list_local(options.directory, options.verify ? Scrutiny::kChecksum : Scrutiny::kSize);
  write_output("",
               options.json ? escaped_json(to_json(options, states)) : to_text(options, states));
  return 0;
}

}  // namespace
}  // namespace data_list_command

void add_data_list_command(CLI::App& data, Program& program) {
  using namespace data_list_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_leaf(data, program, "list", "Say which data sets are known and here",
                               "ifd data list --verify", [options] { return run(*options); });
  add_data_directory_option(*command, options->directory);
  command->add_flag("--verify", options->verify, "Read the files and compare their checksums");
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
