#include "cli/sample_size_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/text_table.h"
#include "ifd/data/json_text.h"

namespace ifd::cli {

std::string sample_size_text(const SampleSizePlan& plan, double delta) {
  TextTable table({"", "answers per class", "succeeds in simulation"});
  table.add({"the proposition's bound", std::to_string(plan.bound),
             fmt::format("{:.2f} %", 100 * plan.bound_succeeds)});
  table.add({fmt::format("enough for {:g} %", 100 * (1 - delta)), std::to_string(plan.needed),
             fmt::format("{:.2f} %", 100 * plan.needed_succeeds)});
  return table.text();
}

std::string sample_size_json(const SampleSizePlan& plan, double delta,
                             const nlohmann::ordered_json& question) {
  const nlohmann::ordered_json out = {
      {"schema", "ifd sample size 1"},
      {"question", question},
      {"delta", delta},
      {"bound", {{"answers_per_class", plan.bound}, {"simulated_success", plan.bound_succeeds}}},
      {"simulated",
       {{"answers_per_class", plan.needed}, {"simulated_success", plan.needed_succeeds}}},
      {"repeats", kPlanRepeats}};
  return json_text(out, 2) + "\n";
}

}  // namespace ifd::cli
