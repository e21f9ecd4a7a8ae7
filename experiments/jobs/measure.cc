#include "experiments/jobs/measure.h"

#include "experiments/result/labels.h"
#include "ifd/policy/availability.h"
#include "ifd/policy/scoring.h"

namespace ifd::experiments {

ScaleName name_of(MarginScale scale) {
  return scale == MarginScale::kProbability ? kProbability : kLogit;
}

ResultRow row_of(const ResultRow& where, MeasureName measure, double value) {
  ResultRow row = where;
  row.measure = std::move(measure);
  row.value = value;
  return row;
}

Replay replay(const DeferralPolicy& policy, const Predictions& cases, const AnswerTable& answers,
              std::uint64_t seed) {
  Availability availability(answers.experts());
  availability.require_answers(answers);
  MarginTable table =
      winning_margins(policy, cases, answers.expert_names(), availability, {seed, 1});
  std::vector<CaseOutcome> outcomes(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ClassId truth = cases.label(i);
    outcomes[i].model_right = top_class(cases.probabilities(i)) == truth;
    outcomes[i].expert_right =
        table.expert[i] != kNobody && answers.at(i, index(table.expert[i])).is(truth);
  }
  BudgetCurve curve(table.margin, outcomes);
  return {std::move(table), std::move(curve)};
}

std::vector<ResultRow> area_rows(const ResultRow& where, const PolicyOnScale& policy,
                                 const Predictions& cases, const AnswerTable& answers,
                                 std::uint64_t seed) {
  std::vector<ResultRow> rows;
  for (const MarginScale scale : {MarginScale::kProbability, MarginScale::kLogit}) {
    const Replay replayed = replay(*policy(scale), cases, answers, seed);
    ResultRow here = where;
    here.scale = name_of(scale);
    rows.push_back(row_of(here, kAursac, replayed.curve.aursac()));
    if (const auto aurdac = replayed.curve.aurdac()) {
      rows.push_back(row_of(here, kAurdac, *aurdac));
    }
    if (scale == MarginScale::kLogit) continue;
    for (const CurvePoint& point : replayed.curve.points(21)) {
      here.x = point.budget;
      rows.push_back(row_of(here, kSystemAccuracy, point.system_accuracy));
    }
  }
  return rows;
}

}  // namespace ifd::experiments
