#include "ifd/evaluation/assigned_points.h"

#include <utility>

namespace ifd {
namespace {

struct AssignedPoint {
  OperatingPoint point;
  std::vector<Credit> credits;
};

AssignedPoint assigned_point(const std::vector<Route>& routes, const Predictions& cases,
                             const AnswerTable& answers) {
  std::vector<CaseOutcome> outcomes;
  std::vector<Credit> credits;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    const bool deferred = routes[i].decision() == Decision::kExpert;
    outcomes.push_back(
        {credit_if(top_class(cases.probabilities(i)) == cases.label(i)),
         credit_if(deferred && answers.at(case_id(i), routes[i].expert).is(cases.label(i)))});
    credits.push_back(deferred ? outcomes.back().expert : outcomes.back().model);
  }
  return {operating_point(routes, outcomes, answers.experts()), std::move(credits)};
}

}  // namespace

std::vector<std::vector<Credit>> assign_operating_points(PolicyEvaluation& measured,
                                                         const WithinCapacities& assignment,
                                                         const Predictions& cases,
                                                         const AnswerTable& answers) {
  std::vector<std::vector<Credit>> credits;
  const auto point_within = [&](DeferralLimit limit) {
    AssignedPoint made = assigned_point(assignment.routes(limit), cases, answers);
    credits.push_back(std::move(made.credits));
    return std::move(made.point);
  };
  measured.at_zero = point_within({cases.size(), 0});
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
