// From a policy and a group of experts to rows of results.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "experiments/result/job_result.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/evaluation/budget_curve.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/rejector/margin_scale.h"
#include "ifd/routing/margin_table.h"

namespace ifd::experiments {

using PolicyOnScale = std::function<std::unique_ptr<DeferralPolicy>(MarginScale)>;

ScaleName name_of(MarginScale scale);

// What the experts with the largest margins would have made of the cases. An expert without an
// answer on a case does not compete there. `names` are the experts', for ties.
struct Replay {
  MarginTable margins;
  BudgetCurve curve;
};
Replay replay(const DeferralPolicy& policy, const Predictions& cases, const AnswerTable& answers,
              std::uint64_t seed);

// `where` with aursac and aurdac on both margin scales, and on the scale of probabilities the
// system accuracy at the budgets 0, .05, ... 1.
std::vector<ResultRow> area_rows(const ResultRow& where, const PolicyOnScale& policy,
                                 const Predictions& cases, const AnswerTable& answers,
                                 std::uint64_t seed);

// `where` with this measure and value.
ResultRow row_of(const ResultRow& where, MeasureName measure, double value);

}  // namespace ifd::experiments
