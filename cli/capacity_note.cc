#include "cli/capacity_note.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "ifd/router/evaluation_words.h"
#include "ifd/routing/budget.h"

namespace ifd::cli {

Availability on_duty_at(const Router& router) {
  const std::vector<std::string> experts = router.experts();
  Availability on_duty(experts.size());
  for (std::size_t j = 0; j < experts.size(); ++j) {
    on_duty.set_on_duty(expert_id(j), router.is_on_duty(experts[j]));
  }
  return on_duty;
}

std::string capacity_note(const MostCases& most, const Router& router, std::size_t cases,
                          std::span<const double> budgets) {
  const std::size_t total = total_capacity(most, router.experts(), on_duty_at(router), cases);
  std::vector<std::string> beyond;
  for (const double budget : budgets) {
    const std::size_t allowed = budget_cases(budget, cases);
    if (allowed <= total) continue;
    beyond.push_back(fmt::format("a budget of {} allows {}", budget_name(budget), allowed));
  }
  if (beyond.empty()) return {};
  return fmt::format("note: the experts on duty can take {} of the {} cases in all; {}", total,
                     cases, fmt::join(beyond, ", "));
}

}  // namespace ifd::cli
