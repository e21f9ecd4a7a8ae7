#include "ifd/evaluation/coverage.h"

#include <cstdint>
#include <unordered_map>

namespace ifd {

Coverage coverage(const AnswerTable& answers, const Availability& on_duty) {
  Coverage found{0, std::vector<double>(answers.experts(), 0.0)};
  const double share = answers.cases() == 0 ? 0 : 1 / static_cast<double>(answers.cases());
  std::vector<std::size_t> taken(answers.experts(), 0);
  for (std::size_t i = 0; i < answers.cases(); ++i) {
    bool somebody = false;
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      if (!on_duty.may_take(case_id(i), expert_id(j)) ||
          answers.at(case_id(i), expert_id(j)).is_missing()) {
        continue;
      }
      somebody = true;
      ++taken[j];
    }
    found.reachable_cases += somebody ? 1 : 0;
  }
  for (std::size_t j = 0; j < taken.size(); ++j) {
    found.of_experts[j] = static_cast<double>(taken[j]) * share;
  }
  return found;
}

std::optional<ReachableAreas> reachable_areas(const Replay& replayed, const Key& key,
                                              const BootstrapOptions& options) {
  std::vector<double> margins;
  std::vector<CaseOutcome> outcomes;
  std::vector<std::uint32_t> groups;
  std::unordered_map<std::uint32_t, std::uint32_t> number_of;
  for (std::size_t i = 0; i < replayed.margins.size(); ++i) {
    if (replayed.margins.expert[i] == kNobody) continue;
    margins.push_back(replayed.margins.margin[i]);
    outcomes.push_back(replayed.outcomes[i]);
    if (options.groups.empty()) continue;
    const auto next = static_cast<std::uint32_t>(number_of.size());
    groups.push_back(number_of.emplace(options.groups[i], next).first->second);
  }
  if (margins.empty() || margins.size() == replayed.margins.size()) return {};
  const BudgetCurve curve(margins, outcomes);
  const auto aurdac = curve.aurdac(options.d_min, options.d_max);
  if (!aurdac) return {};
  ReachableAreas areas{curve.aursac(options.d_min, options.d_max), *aurdac};
  if (options.replicates > 0) {
    BootstrapOptions resampling = options;
    resampling.groups = groups;
    areas.intervals = bootstrap({margins, outcomes}, key, resampling);
  }
  return areas;
}

}  // namespace ifd
