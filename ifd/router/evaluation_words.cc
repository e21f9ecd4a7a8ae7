#include "ifd/router/evaluation_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ifd/evaluation/shown_measure.h"
#include "ifd/router.h"

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
    if (policy.answer == AnswerUse::kCombined && !policy.least_margin) continue;
    (policy.least_margin ? capped : filled).push_back(policy.policy);
  }
  if (capped.empty()) return "All of each budget is used.";
  std::string text =
      fmt::format("Of a budget, {} use{} only what promises a {}", fmt::join(capped, ", "),
                  capped.size() == 1 ? "s" : "", evaluation.cost_unit ? "saving" : "gain");
  if (!filled.empty()) {
    text += fmt::format("; {} fill{} it", fmt::join(filled, ", "), filled.size() == 1 ? "s" : "");
  }
  return text + ".";
}

std::string combined_explained(const Evaluation& evaluation) {
  if (std::none_of(evaluation.policies.begin(), evaluation.policies.end(),
                   [](const auto& p) { return p.answer == AnswerUse::kCombined; })) {
    return {};
  }
  if (evaluation.cost_unit) {
    return " 'Combined' is the label that is expected to cost least by the model's probabilities "
           "and the expert's answer together, instead of the expert's word; nobody is asked whose "
           "answer is not expected to save anything beyond its fee, and at threshold 0 everybody "
           "else is.";
  }
  return " 'Combined' is the label that the model's probabilities and the expert's answer make "
         "together, instead of the expert's word; nobody is asked whose answer could not change "
         "it, and at threshold 0 everybody else is. Its AURDAC is the accuracy of such labels.";
}

}  // namespace

std::string accuracies_explained(const Evaluation& evaluation, const EvaluationOptions& options) {
  const std::string over =
      evaluation.groups > 0 ? fmt::format("{} groups", evaluation.groups) : std::string("cases");
  const std::string intervals =
      options.bootstrap > 0 ? fmt::format("; in brackets 95 % intervals over {}", over) : "";
  if (evaluation.cost_unit) {
    const ShownMeasure shown(evaluation);
    const std::string& unit = shown.unit().name();
    return fmt::format(
        "Cost per case{}, fees included, on {} cases ({} by the model alone, as {} has it "
        "answer){}. {}{}",
        unit.empty() ? "" : fmt::format(" in {}", unit), evaluation.cases,
        shown.unit().number(shown.value(model_share(evaluation, evaluation.policies.front()))),
        evaluation.policies.front().policy, intervals, budgets_explained(evaluation),
        combined_explained(evaluation));
  }
  return fmt::format("Accuracy in % on {} cases ({:.2f} by the model alone){}. {}{}",
                     evaluation.cases, 100 * evaluation.model_accuracy, intervals,
                     budgets_explained(evaluation), combined_explained(evaluation));
}

std::string margins_explained(const Evaluation& evaluation) {
  if (evaluation.cost_unit) {
    const bool blind = std::any_of(evaluation.policies.begin(), evaluation.policies.end(),
                                   [](const auto& p) { return p.policy == kCostBlind; });
    return fmt::format(
        "The margin of a case is what asking its best expert is expected to save, the fee taken "
        "off{}.",
        blind ? "; that of cost-blind, by how much the expert is expected to be right more often "
                "than the model"
              : "");
  }
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

std::string areas_explained(const Evaluation& evaluation, const EvaluationOptions& options) {
  if (evaluation.cost_unit) {
    return fmt::format(
        "Means over all budgets from {} to {}, all of each being used: cost per case of model and "
        "experts together, and of the experts alone on what they are given.",
        budget_name(options.d_min), budget_name(options.d_max));
  }
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
