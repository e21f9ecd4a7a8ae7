#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>

#include "cli/command.h"
#include "cli/text_table.h"
#include "ifd/data/json_text.h"
#include "ifd/data/visible_text.h"
#include "ifd/policy/policy_document.h"
#include "ifd/policy/policy_file.h"

namespace ifd::cli {
namespace policy_show_command {
namespace {

struct Options {
  std::filesystem::path file;
  bool json = false;
};

// Metadata as rows: nested objects become "outer.inner".
void add_rows(const JsonValue& value, const std::string& name, TextTable& table) {
  if (value.is_object()) {
    for (const auto& [key, inner] : value.members()) {
      add_rows(inner, name.empty() ? key : name + "." + key, table);
    }
    return;
  }
  table.add({name, value.is_text() ? value.text() : value.dump()});
}

int run(const Options& options, const ReadLimits& limits) {
  const PolicyFile policy = PolicyFile::read(options.file, limits);
  const JsonValue metadata = policy.metadata();
  if (options.json) {
    write_output("", escaped_json(policy_json(policy)));
    return 0;
  }
  TextTable table({"what", "value"});
  table.add({"method", policy.method});
  table.add({"parameters", std::to_string(parameter_count(policy))});
  table.add({"architecture hash", fmt::format("{:016x}", policy.architecture_hash())});
  add_rows(metadata, "", table);
  for (const Tensor& tensor : policy.tensors) {
    table.add({"tensor " + tensor.name, fmt::format("{}", fmt::join(tensor.shape, " x "))});
  }
  write_output("", table.text());
  return 0;
}

}  // namespace
}  // namespace policy_show_command

void add_policy_show_command(CLI::App& policy, Program& program) {
  using namespace policy_show_command;
  const auto options = std::make_shared<Options>();
  CLI::App* command = add_leaf(
      policy, program, "show", "Tell what a policy is, how and from what it was made",
      "ifd policy show policy.ifd", [options, &program] { return run(*options, program.limits); });
  command->add_option("FILE", options->file, "The file")->required();
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
