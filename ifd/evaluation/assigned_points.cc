#include "ifd/evaluation/assigned_points.h"

#include <utility>

#include "ifd/evaluation/combined_replay.h"

namespace ifd {
namespace {

struct AssignedPoint {
  OperatingPoint point;
  std::vector<Credit> credits;
};

AssignedPoint assigned_point(const std::vector<Route>& routes, const Predictions& cases,
                             const AnswerTable& answers, const AnswerWorth& worth,
                             std::span<const ExpertProfile> combined) {
  std::vector<CaseOutcome> outcomes;
  std::vector<Credit> credits;
  const std::vector<ClassId> labels = worth.model_labels(cases);
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const ClassId truth = cases.label(i);
    const ExpertId expert = routes[i].expert;
    CaseOutcome outcome{worth.of_model(labels[i], truth), {}};
    const bool deferred = routes[i].decision() == Decision::kExpert;
    if (deferred) {
      const Answer answer = answers.at(case_id(i), expert);
      outcome.expert = combined.empty() ? worth.of_expert(answer, truth, expert)
                                        : combined_credit(cases, i, answer, combined[index(expert)],
                                                          worth, expert);
    }
    outcomes.push_back(outcome);
    credits.push_back(deferred ? outcome.expert : outcome.model);
  }
  return {operating_point(routes, outcomes, answers.experts()), std::move(credits)};
}

}  // namespace

std::vector<std::vector<Credit>> assign_operating_points(
    PolicyEvaluation& measured, const WithinCapacities& assignment, const Predictions& cases,
    const AnswerTable& answers, const AnswerWorth& worth, std::span<const ExpertProfile> combined) {
  std::vector<std::vector<Credit>> credits;
  const auto point_within = [&](DeferralLimit limit) {
    AssignedPoint made = assigned_point(assignment.routes(limit), cases, answers, worth, combined);
    credits.push_back(std::move(made.credits));
    return std::move(made.point);
  };
  measured.at_zero = point_within({cases.size(), measured.zero_threshold});
  const double least = measured.least_margin.value_or(kNeverDefer);
  for (BudgetPoint& at : measured.at_budgets) {
    at.point = point_within({budget_cases(at.budget, cases.size()), least});
    at.accuracy = at.point.system_accuracy;
    at.threshold.reset();
  }
  if (measured.at_threshold) {
    measured.at_threshold->point = point_within({cases.size(), measured.at_threshold->threshold});
  }
  return credits;
}

}  // namespace ifd
