// From a policy and a group of experts to rows of results.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "experiments/result/job_result.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/evaluation/budget_curve.h"
#include "ifd/evaluation/replay.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/rejector/margin_scale.h"

namespace ifd::experiments {

using PolicyOnScale = std::function<std::unique_ptr<DeferralPolicy>(MarginScale)>;

ScaleName name_of(MarginScale scale);

// Accuracy at every budget, with everybody on duty.
BudgetCurve curve_of(const DeferralPolicy& policy, const Predictions& cases,
                     const AnswerTable& answers, std::uint64_t seed);

// The areas that answer how much is gained where experts are dear, beside the one over all budgets.
struct AreaRange {
  MeasureName measure;
  double d_max;
};
std::span<const AreaRange> area_ranges();
// `where` with the area over each range.
std::vector<ResultRow> range_rows(const ResultRow& where, const BudgetCurve& curve);

// Where system accuracy is told with resamples: what is gained with few questions.
inline constexpr double kSmallBudgets[] = {.05, .1, .2};

// `where` with the area over each range, the model alone, and AURDAC where anybody can be asked;
// each with its value under the resamples that all jobs on this data share. `cases` are those of
// the replay. Where x is 0, also the system accuracy at the small budgets.
std::vector<ResultRow> curve_rows(const ResultRow& where, const Replay& replayed,
                                  const Predictions& cases);

// The same cases in the same order to the same experts, while the model answers as in `cases`.
Replay with_answers_of(const Predictions& cases, Replay replayed);

// `where` with the areas and the model alone, and nothing else; those that are `resampled` have
// their values under resamples, too, as curve_rows gives them.
std::vector<ResultRow> brief_rows(const ResultRow& where, const Replay& replayed,
                                  const Predictions& cases, std::span<const MeasureName> resampled);

// `where` with all that on the scale of probabilities and the system accuracy at the budgets 0,
// .05, ... 1; on the scale of logits with aursac and aurdac.
std::vector<ResultRow> area_rows(const ResultRow& where, const PolicyOnScale& policy,
                                 const Predictions& cases, const AnswerTable& answers,
                                 std::uint64_t seed);

// `where` with this measure and value.
ResultRow row_of(const ResultRow& where, MeasureName measure, double value);

}  // namespace ifd::experiments
