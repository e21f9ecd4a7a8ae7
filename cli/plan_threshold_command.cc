#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/policy_inputs.h"
#include "cli/text_table.h"
#include "ifd/data/json_text.h"
#include "ifd/router.h"

namespace ifd::cli {
namespace plan_threshold_command {
namespace {

struct ThresholdOptions {
  PolicyInputs inputs;
  std::string policy = "plug-in";
  double budget = 0;
  double confidence = .95;
  bool json = false;
};

int run_threshold(const ThresholdOptions& options, const Program& program) {
  LoadedInputs loaded = load(options.inputs, {options.policy}, program);
  const Router router = loaded.take_router(options.policy);
  note_calibration(router, options.policy, program.terminal);
  const Routes routes = router.route(
      loaded.predictions, CalibratedBudget{options.budget, loaded.predictions, options.confidence});
  const CalibratedThreshold& found = *routes.calibrated();
  std::vector<std::string> on_duty;
  for (const std::string& name : router.experts()) {
    if (router.is_on_duty(name)) on_duty.push_back(name);
  }
  const bool any = std::isfinite(found.threshold);
  if (options.json) {
    const nlohmann::ordered_json out = {{"schema", "ifd threshold 1"},
                                        {"policy", options.policy},
                                        {"threshold", any ? nlohmann::ordered_json(found.threshold)
                                                          : nlohmann::ordered_json(nullptr)},
                                        {"cases", found.calibration_cases},
                                        {"deferred", found.deferred_on_calibration},
                                        {"rate", found.rate},
                                        {"rate_low", found.rate_low},
                                        {"rate_high", found.rate_high},
                                        {"confidence", found.confidence},
                                        {"experts", on_duty}};
    write_output("", json_text(out, 2) + "\n");
    return 0;
  }
  if (!any) {
    const auto largest = std::ranges::max(routes, {}, &Route::margin).margin;
    const auto best = std::ranges::count(routes, largest, &Route::margin);
    program.terminal.note(
        fmt::format("--budget {} defers none of {} cases: the largest margin is that of {}, for "
                    "which it takes {:.3g}",
                    options.budget, found.calibration_cases, best,
                    static_cast<double>(best) / static_cast<double>(found.calibration_cases)));
  }
  TextTable text({"threshold", "rate", "interval", "cases", "experts on duty"});
  text.add({any ? fmt::format("{:.6g}", found.threshold) : "none",
            fmt::format("{:.3f}", found.rate),
            fmt::format("[{:.3f}, {:.3f}]", found.rate_low, found.rate_high),
            std::to_string(found.calibration_cases), std::to_string(on_duty.size())});
  write_output("", text.text());
  return 0;
}

}  // namespace
}  // namespace plan_threshold_command

void add_plan_threshold_command(CLI::App& plan, Program& program) {
  using namespace plan_threshold_command;
  const auto threshold = std::make_shared<ThresholdOptions>();
  CLI::App* command = add_leaf(
      plan, program, "threshold",
      "The threshold for a stream, with the deferral rates that the number of cases allows",
      "ifd plan threshold --predictions last-month.csv --context answers.csv \\\n"
      "      --budget 0.2",
      [threshold, &program] { return run_threshold(*threshold, program); });
  add_policy_option(*command, threshold->policy);
  threshold->inputs.add_to(*command);
  add_paper_flag(*command);
  command->add_option("--budget", threshold->budget, "Share of the cases that experts can take")
      ->required();
  command->add_option("--confidence", threshold->confidence, "Of the interval of the rate")
      ->capture_default_str();
  command->add_flag("--json", threshold->json, "Print JSON instead of a table");
}

}  // namespace ifd::cli
