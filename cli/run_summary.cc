#include "cli/run_summary.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "command_line/file_options.h"
#include "command_line/terminal.h"
#include "fetch/checksum.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/visible_text.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::cli {
namespace {

using nlohmann::ordered_json;

const char* meaning_of(int exit_code) {
  switch (exit_code) {
    case 0:
      return "ok";
    case 2:
      return "usage";
    case 3:
      return "bad input";
    case 4:
      return "outside a stated tolerance";
    case 5:
      return "storage";
    default:
      return "failure";
  }
}

// Standard input and pipes are gone once they were read, and have no checksum.
ordered_json input_json(const NamedFile& file) {
  ordered_json entry = {
      {"option", file.option}, {"file", source_name(file.path)}, {"sha256", nullptr}};
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file.path, unknown)) return entry;
  try {
    entry["sha256"] = file_checksum(ChecksumKind::kSha256, file.path);
  } catch (const Error&) {
    // What cannot be read is told by the work itself.
  }
  return entry;
}

ordered_json inputs_json(const SummaryOption& summary, const std::vector<std::string>& policies) {
  ordered_json inputs = ordered_json::array();
  for (const NamedFile& file : files_read(*summary.command)) inputs.push_back(input_json(file));
  for (const std::string& policy : policies) {
    if (names_policy_file(policy)) inputs.push_back(input_json({"--policy", policy}));
  }
  return inputs;
}

ordered_json outputs_json(const SummaryOption& summary) {
  ordered_json outputs = ordered_json::array();
  for (const NamedFile& file : files_written(*summary.command)) {
    if (file.option == "--summary") continue;
    outputs.push_back({{"option", file.option}, {"file", file.path.string()}});
  }
  return outputs;
}

void write(const SummaryOption& summary, const std::vector<std::string>& policies,
           const Program& program, int exit_code, const ordered_json& found) {
  ordered_json out = {{"schema", "ifd summary 1"},
                      {"version", IFD_VERSION},
                      {"command", summary.command->get_name()},
                      {"exit", {{"code", exit_code}, {"meaning", meaning_of(exit_code)}}},
                      {"seed", program.seed},
                      {"inputs", inputs_json(summary, policies)},
                      {"outputs", outputs_json(summary)},
                      {"notes", program.terminal.notes()}};
  out.update(found);
  // A path may be any bytes; JSON is UTF-8.
  write_output(
      summary.path,
      escaped_json(out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n"));
}

}  // namespace

void SummaryOption::add_to(CLI::App& to) {
  command = &to;
  to.add_option("--summary", path,
                "Write what the run did as JSON: counts, files with checksums, notes; for scripts")
      ->type_name(kFileWritten);
}

int with_summary(const SummaryOption& summary, const std::vector<std::string>& policies,
                 const Program& program,
                 const std::function<int(nlohmann::ordered_json& summary)>& work) {
  ordered_json found = ordered_json::object();
  if (summary.path.empty()) return work(found);
  try {
    const int code = work(found);
    write(summary, policies, program, code, found);
    return code;
  } catch (const Error& error) {
    // The summary of an earlier run must not be taken for this one's.
    try {
      write(summary, policies, program, outside_meaning(error.kind()).exit_code,
            {{"error", error.what()}});
    } catch (const Error&) {
      // What failed first is what is told.
    }
    throw;
  }
}

}  // namespace ifd::cli
