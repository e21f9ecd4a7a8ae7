#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/staff_inputs.h"
#include "cli/text_table.h"
#include "ifd/data/visible_text.h"
#include "ifd/policy/roster.h"
#include "ifd/profile/staff_prior.h"

namespace ifd::cli {
namespace plan_staff_prior_command {
namespace {

struct StaffPriorOptions {
  StaffInputs inputs;
  double interval = .9;
  bool json = false;
};

int run_staff_prior(const StaffPriorOptions& options, const Program& program) {
  if (!(options.interval > 0 && options.interval <= kMostIntervalMass)) {
    throw Error(ErrorKind::kUsage, fmt::format("--interval {}: expected more than 0, at most {}",
                                               options.interval, kMostIntervalMass));
  }
  const LoadedStaff staff = load_for_plan(options.inputs, program);
  const Roster roster = make_roster(staff.contexts, staff.classes.size());
  const std::vector<StaffOutlook> outlook =
      staff_outlook(StaffPrior(roster.profiles), staff.classes.size());
  if (options.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const StaffOutlook& row : outlook) {
      const auto [low, high] = row.any_class.central_interval(options.interval);
      rows.push_back({{"answers", row.answers},
                      {"correct", row.correct},
                      {"alpha", row.any_class.alpha()},
                      {"beta", row.any_class.beta()},
                      {"mean", row.any_class.mean()},
                      {"low", low},
                      {"high", high}});
    }
    const nlohmann::ordered_json out = {
        {"schema", "ifd staff prior 1"},    {"experts", roster.size()},
        {"classes", staff.classes.names()}, {"truth", options.inputs.answers.truth},
        {"interval", options.interval},     {"newcomer", rows}};
    write_output("", escaped_json(out.dump(2) + "\n"));
    return 0;
  }
  TextTable table({"answers", "right", "accuracy in a class without an answer",
                   fmt::format("{:g} % interval", options.interval * 100)});
  for (const StaffOutlook& row : outlook) {
    const auto [low, high] = row.any_class.central_interval(options.interval);
    table.add({std::to_string(row.answers), std::to_string(row.correct),
               fmt::format("{:.3f}", row.any_class.mean()),
               fmt::format("[{:.3f}, {:.3f}]", low, high)});
  }
  write_output(
      "", fmt::format("What {} experts say of somebody new:\n\n{}", roster.size(), table.text()));
  return 0;
}

}  // namespace
}  // namespace plan_staff_prior_command

void add_plan_staff_prior_command(CLI::App& plan, Program& program) {
  using namespace plan_staff_prior_command;
  const auto options = std::make_shared<StaffPriorOptions>();
  CLI::App* command = add_leaf(plan, program, "staff-prior",
                               "What the staff's answers say of somebody new, by --staff-prior",
                               "ifd plan staff-prior --context answers.csv --classes cat,dog,bird",
                               [options, &program] { return run_staff_prior(*options, program); });
  add_plan_inputs(*command, options->inputs);
  command->add_option("--interval", options->interval, "Mass of the interval")
      ->capture_default_str();
  command->add_flag("--json", options->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
