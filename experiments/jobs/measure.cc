#include "experiments/jobs/measure.h"

#include "experiments/result/labels.h"
#include "ifd/evaluation/replay.h"

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

BudgetCurve curve_of(const DeferralPolicy& policy, const Predictions& cases,
                     const AnswerTable& answers, std::uint64_t seed) {
  return replay(policy, cases, answers, ScoringOptions{seed, 1, {}}).curve();
}

std::span<const AreaRange> area_ranges() {
  static const AreaRange kRanges[] = {{kAursac, 1}, {kAursacTo10, .1}, {kAursacTo30, .3}};
  return kRanges;
}

std::vector<ResultRow> range_rows(const ResultRow& where, const BudgetCurve& curve) {
  std::vector<ResultRow> rows;
  for (const AreaRange& range : area_ranges()) {
    rows.push_back(row_of(where, range.measure, curve.aursac(0, range.d_max)));
  }
  return rows;
}

std::vector<ResultRow> area_rows(const ResultRow& where, const PolicyOnScale& policy,
                                 const Predictions& cases, const AnswerTable& answers,
                                 std::uint64_t seed) {
  std::vector<ResultRow> rows;
  for (const MarginScale scale : {MarginScale::kProbability, MarginScale::kLogit}) {
    const BudgetCurve curve = curve_of(*policy(scale), cases, answers, seed);
    ResultRow here = where;
    here.scale = name_of(scale);
    rows.push_back(row_of(here, kAursac, curve.aursac()));
    if (const auto aurdac = curve.aurdac()) {
      rows.push_back(row_of(here, kAurdac, *aurdac));
    }
    if (scale == MarginScale::kLogit) continue;
    for (const CurvePoint& point : curve.points(21)) {
      here.x = point.budget;
      rows.push_back(row_of(here, kSystemAccuracy, point.system_accuracy));
    }
  }
  return rows;
}

}  // namespace ifd::experiments
