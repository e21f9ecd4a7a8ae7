#include "experiments/jobs/measure.h"

#include <algorithm>
#include <cmath>

#include "experiments/jobs/case_weights.h"
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

namespace {

// In one order: areas, the model alone, small budgets, and last what may not exist.
std::vector<ResultRow> told_of(const ResultRow& where, const BudgetCurve& curve) {
  std::vector<ResultRow> rows = range_rows(where, curve);
  rows.push_back(row_of(where, kModelAlone, curve.model_accuracy()));
  for (const double budget : kSmallBudgets) {
    if (where.x != 0) break;
    ResultRow at = row_of(where, kSystemAccuracy, curve.system_accuracy(budget));
    at.x = budget;
    rows.push_back(std::move(at));
  }
  if (const auto aurdac = curve.aurdac()) rows.push_back(row_of(where, kAurdac, *aurdac));
  return rows;
}

}  // namespace

std::vector<ResultRow> curve_rows(const ResultRow& where, const Replay& replayed,
                                  const Predictions& cases) {
  const RankedCases ranked(replayed.margins.margin, replayed.outcomes);
  std::vector<ResultRow> rows = told_of(where, BudgetCurve(ranked));
  for (std::size_t s = 0; s < kCaseResamples; ++s) {
    const auto weights = case_weights(where.data, cases, s);
    const auto again = told_of(where, BudgetCurve(ranked, weights));
    for (std::size_t i = 0; i < rows.size() && i < again.size(); ++i) {
      rows[i].replicates.push_back(std::round(again[i].value * kReplicateSteps) / kReplicateSteps);
    }
  }
  // A resample without anybody to ask has no AURDAC: then there is nothing to compare.
  for (ResultRow& row : rows) {
    if (row.replicates.size() < kCaseResamples) row.replicates.clear();
  }
  return rows;
}

Replay with_answers_of(const Predictions& cases, Replay replayed) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    replayed.outcomes[i].model = credit_if(top_class(cases.probabilities(i)) == cases.label(i));
  }
  return replayed;
}

std::vector<ResultRow> brief_rows(const ResultRow& where, const Replay& replayed,
                                  const Predictions& cases,
                                  std::span<const MeasureName> resampled) {
  std::vector<ResultRow> rows;
  if (resampled.empty()) {
    const BudgetCurve curve = replayed.curve();
    rows = range_rows(where, curve);
    rows.push_back(row_of(where, kModelAlone, curve.model_accuracy()));
    return rows;
  }
  for (ResultRow& row : curve_rows(where, replayed, cases)) {
    if (row.measure == kSystemAccuracy || row.measure == kAurdac) continue;
    if (std::ranges::count(resampled, row.measure) == 0) row.replicates.clear();
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<ResultRow> area_rows(const ResultRow& where, const PolicyOnScale& policy,
                                 const Predictions& cases, const AnswerTable& answers,
                                 std::uint64_t seed) {
  ResultRow here = where;
  here.scale = kProbability;
  const Replay replayed =
      replay(*policy(MarginScale::kProbability), cases, answers, ScoringOptions{seed, 1, {}});
  std::vector<ResultRow> rows = curve_rows(here, replayed, cases);
  for (const CurvePoint& point : replayed.curve().points(21)) {
    here.x = point.budget;
    // With resamples above.
    if (std::ranges::count(kSmallBudgets, point.budget) > 0) continue;
    rows.push_back(row_of(here, kSystemAccuracy, point.system_accuracy));
  }
  const BudgetCurve on_logits = curve_of(*policy(MarginScale::kLogit), cases, answers, seed);
  here = where;
  here.scale = kLogit;
  rows.push_back(row_of(here, kAursac, on_logits.aursac()));
  if (const auto aurdac = on_logits.aurdac()) rows.push_back(row_of(here, kAurdac, *aurdac));
  return rows;
}

}  // namespace ifd::experiments
