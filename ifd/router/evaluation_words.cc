#include "ifd/router/evaluation_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace ifd {

const char* verdict_word(Verdict::Answer answer) {
  switch (answer) {
    case Verdict::Answer::kHelps:
      return "helps";
    case Verdict::Answer::kHurts:
      return "hurts";
    case Verdict::Answer::kNothingDeferred:
      return "nothing deferred";
    case Verdict::Answer::kNotSure:
      break;
  }
  return "not sure";
}

std::string points_of_use_explained(const Evaluation& evaluation) {
  std::vector<std::string> at_zero, at_budgets;
  for (const PolicyEvaluation& policy : evaluation.policies) {
    if (const auto budget = point_of_use(policy).budget) {
      at_budgets.push_back(fmt::format("{} ({})", policy.policy, budget_name(*budget)));
    } else {
      at_zero.push_back(policy.policy);
    }
  }
  const char* within = evaluation.total_capacity ? ", within the capacities" : "";
  if (at_budgets.empty()) return fmt::format("At threshold 0{}.", within);
  const std::string best =
      fmt::format("t the best of the asked budgets: {}", fmt::join(at_budgets, ", "));
  if (at_zero.empty()) return fmt::format("A{}{}.", best, within);
  return fmt::format("At threshold 0: {}; a{}{}.", fmt::join(at_zero, ", "), best, within);
}

std::string budget_name(double budget) { return fmt::format("{:g} %", 100 * budget); }

namespace {

std::string budgets_explained(const Evaluation& evaluation) {
  std::vector<std::string> capped, filled;
  for (const PolicyEvaluation& policy : evaluation.policies) {
    (policy.least_margin ? capped : filled).push_back(policy.policy);
  }
  if (capped.empty()) return "All of each budget is used.";
  std::string text = fmt::format("Of a budget, {} use{} only what promises a gain",
                                 fmt::join(capped, ", "), capped.size() == 1 ? "s" : "");
  if (!filled.empty()) {
    text += fmt::format("; {} fill{} it", fmt::join(filled, ", "), filled.size() == 1 ? "s" : "");
  }
  return text + ".";
}

}  // namespace

std::string accuracies_explained(const Evaluation& evaluation, const EvaluationOptions& options) {
  const std::string over =
      evaluation.groups > 0 ? fmt::format("{} groups", evaluation.groups) : std::string("cases");
  return fmt::format(
      "Accuracy in % on {} cases ({:.2f} by the model alone){}. {}", evaluation.cases,
      100 * evaluation.model_accuracy,
      options.bootstrap > 0 ? fmt::format("; in brackets 95 % intervals over {}", over) : "",
      budgets_explained(evaluation));
}

std::string margins_explained(const Evaluation& evaluation) {
  std::vector<std::string> ordering;
  for (const PolicyEvaluation& policy : evaluation.policies) {
    if (!policy.expects_gains) ordering.push_back(policy.policy);
  }
  if (ordering.size() == evaluation.policies.size()) {
    return "The margin of a case says how soon it is deferred, and to whom; here it only orders "
           "the cases.";
  }
  std::string text =
      "The margin of a case is by how much its best expert is expected to be right more often than "
      "the model";
  if (!ordering.empty()) {
    text += fmt::format("; that of {} only orders the cases", fmt::join(ordering, ", "));
  }
  return text + ".";
}

std::string areas_explained(const EvaluationOptions& options) {
  return fmt::format(
      "Means over all budgets from {} to {}, all of each being used: accuracy of model and experts "
      "together (AURSAC), and of the experts alone on what they are given (AURDAC).",
      budget_name(options.d_min), budget_name(options.d_max));
}

std::string capacities_explained(const Evaluation& evaluation, const EvaluationOptions& options) {
  if (!evaluation.total_capacity) return {};
  return fmt::format(
      "Who takes which case is the best assignment within the capacities, {} of {} cases in all{}; "
      "curves, areas and promises are without capacities.",
      *evaluation.total_capacity, evaluation.cases,
      options.bootstrap > 0 ? ", held fixed in the intervals" : "");
}

double share_covered(const Evaluation& evaluation) {
  return static_cast<double>(evaluation.reachable_cases) / static_cast<double>(evaluation.cases);
}

bool has_gaps(const Evaluation& evaluation) {
  return std::any_of(evaluation.expert_coverage.begin(), evaluation.expert_coverage.end(),
                     [](double share) { return share < 1; });
}

std::string coverage_explained(const Evaluation& evaluation) {
  if (evaluation.reachable_cases == evaluation.cases) return {};
  return fmt::format(
      "Coverage: somebody could take {} of {} cases ({:.1f} %); on the others the model answers at "
      "every budget. 'Covered' are the areas over the cases that somebody could take.",
      evaluation.reachable_cases, evaluation.cases, 100 * share_covered(evaluation));
}

}  // namespace ifd
