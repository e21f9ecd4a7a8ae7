// Policies compared on cases where the truth and the experts' answers are known.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/decision/answer_use.h"
#include "ifd/decision/cost_unit.h"
#include "ifd/evaluation/budget_curve.h"
#include "ifd/evaluation/curve_estimates.h"
#include "ifd/evaluation/operating_point.h"
#include "ifd/evaluation/promise.h"
#include "ifd/long_work.h"
#include "ifd/policy/availability.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/calibration_in_use.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/profile/expert_profile.h"

namespace ifd {

class ExpectedCosts;

// A policy with the cases as it reads them, where that is not as they are (a calibration).
struct ComparedPolicy {
  std::string name;
  std::shared_ptr<const DeferralPolicy> rule;
  std::optional<Predictions> cases = {};
  std::optional<CalibrationInUse> calibration = {};  // told in the result
  bool expects_gains = false;      // its margins are expected gains, see Router::expects_gains
  bool is_reference = false;       // it knows what no policy can know (oracle, ceiling)
  bool is_blind_to_costs = false;  // its model answers the most probable class, whatever it costs
  // kCombined needs the profiles. Within a budget, cases on which the answer could not change the
  // label or, under costs, is not expected to save its fee then stay with the model, and no other
  // limit holds unless one is asked for. Curves and areas fill every budget.
  AnswerUse answer = AnswerUse::kFinal;
  // The same rule computed in bf16, to tell what that changes; `decide_in_bf16` goes on with it.
  std::shared_ptr<const DeferralPolicy> in_bf16 = {};
  bool decide_in_bf16 = false;
};

struct EvaluationOptions {
  double d_min = 0;  // the areas are means over budgets d_min..d_max
  double d_max = 1;
  std::vector<double> budgets = {.1, .2, .5};  // operating points
  // Within these budgets, cases with a smaller margin stay with the model. Empty: 0 where margins
  // are expected gains, otherwise and for kFillBudget no limit. Curves and areas fill every budget.
  std::optional<double> least_margin = {};
  // One more operating point: every case with at least this margin is deferred.
  std::optional<double> threshold = {};
  // Operating points are then the assignments that a router makes within these capacities, and
  // their intervals hold the assignment fixed. Curves, areas, promises and regret have none.
  std::optional<std::map<std::string, std::size_t>> capacities = {};
  std::size_t bootstrap = 1000;  // resamples for the intervals; 0 for none
  std::uint64_t seed = 0;
  unsigned threads = 1;
  // The group of each case (patient, recording, document), 0..G-1, for intervals over groups
  // instead of cases. Empty: no groups.
  std::vector<std::uint32_t> groups = {};
  // Of each expert, for what they promise; must outlive the call. Empty: nothing is told of that.
  std::span<const ExpertProfile> profiles = {};
  // For the regret, where a simulation knows them: eta(x) in the order of the cases, and
  // A(x | E, y), N x J x K.
  std::optional<Predictions> true_probabilities = {};
  std::vector<float> accuracies = {};
  // What is paid for answers, and by what the model answers. Null: right or wrong.
  std::shared_ptr<const ExpectedCosts> costs = {};
  LongWork work = {};
};

// What a policy does within a budget. Whole blocks of equal margins are deferred in `point`;
// `accuracy` averages over the orders of such a block, as the curve does.
struct BudgetPoint {
  double budget;
  std::optional<double> threshold;  // none where capacities decide
  OperatingPoint point;
  double accuracy;
  std::optional<AccuracyEstimate> estimate = {};  // unless there was no bootstrap
};

// What a policy does at a threshold.
struct ThresholdPoint {
  double threshold;
  OperatingPoint point;
  std::optional<AccuracyEstimate> estimate = {};  // unless there was no bootstrap
};

// The areas over the cases alone that somebody could take.
struct ReachableAreas {
  double aursac;
  double aurdac;
  std::optional<CurveEstimates> intervals = {};  // unless there was no bootstrap
};

// Accuracy over the model's where a whole budget is used.
struct FilledBudget {
  double budget;
  Estimate gain;
};

// What another precision does to a policy.
struct PrecisionChange {
  std::size_t cases = 0;  // with another best expert
  double margin = 0;      // the largest change of one
};

// What a policy makes of the cases of one class at threshold 0, where there are costs.
struct TruthOutcome {
  std::size_t cases = 0;
  std::size_t deferred = 0;
  std::size_t wrong = 0;  // whoever answered
  double cost = 0;        // of the mistakes and fees, in all
};

struct PolicyEvaluation {
  std::string policy;
  BudgetCurve curve;
  double aursac;
  std::optional<double> aurdac;
  std::optional<CurveEstimates> intervals;   // unless there was no bootstrap
  std::optional<CurveEstimates> difference;  // this policy minus the first
  std::vector<double> share;  // of all cases, where the expert has the largest margin
  OperatingPoint at_zero;
  std::vector<BudgetPoint> at_budgets;
  std::optional<ThresholdPoint> at_threshold = {};  // where one was asked for
  std::optional<ReachableAreas> reachable = {};     // where nobody could take some of the cases
  bool expects_gains = false;
  bool is_reference = false;
  AnswerUse answer = AnswerUse::kFinal;
  // Of `at_zero`: 0; kNeverDefer where answers are combined and margins are expected gains, so that
  // everybody is asked whose answer could change the label, or is expected to save its fee.
  double zero_threshold = 0;
  // In force at the budgets; none where they are filled.
  std::optional<double> least_margin = {};
  std::optional<AccuracyEstimate> zero_estimate = {};  // at threshold 0
  std::vector<FilledBudget> filled = {};               // 2 %, 4 %, ... 100 %
  std::optional<Promise> promise = {};
  // Mean, of the routes at threshold 0; none of combined answers.
  std::optional<double> regret = {};
  std::optional<PrecisionChange> bf16 = {};
  std::optional<CalibrationInUse> calibration = {};  // the policy's own
  std::vector<TruthOutcome> by_truth = {};           // one per class, where there are costs
};

// Of the AURDAC; null where there is none.
inline const Estimate* aurdac_interval(const PolicyEvaluation& policy) {
  return policy.intervals && policy.intervals->aurdac ? &*policy.intervals->aurdac : nullptr;
}

struct Evaluation {
  std::size_t cases;
  double model_accuracy;
  std::vector<std::string> experts;
  std::vector<double> expert_accuracy;  // on the cases each answered
  std::size_t outside;                  // answers outside the classes
  CalibrationQuality quality;           // of the classifier on these cases
  double mean_confidence;               // the mean of its largest probability
  std::size_t groups;                   // that the intervals are over; 0: over cases
  double answers_per_class;             // the mean over experts; NaN where nothing is known
  std::vector<PolicyEvaluation> policies;
  // What gaps in the answers leave: cases that somebody on duty answered, and of each expert the
  // share of all cases that they could take.
  std::size_t reachable_cases = 0;
  std::vector<double> expert_coverage = {};
  // With capacities: what the experts on duty can take of the cases, all together.
  std::optional<std::size_t> total_capacity = {};
  // With costs: every accuracy of a policy (its curve, areas, points, estimates and differences) is
  // a share a that stands for a cost per case of (1 - a) times the largest total, fees included;
  // see ShownMeasure. What is told of the classifier and of an expert by itself stays accuracy.
  std::optional<CostUnit> cost_unit = {};
};

// `cases` carry labels; `answers` has a row for each of them and a column for each expert of every
// policy. An expert without an answer on a case does not compete there. Error(kBadInput) where
// these do not fit together or an option makes no sense.
Evaluation evaluate(std::span<const ComparedPolicy> policies, const Predictions& cases,
                    const AnswerTable& answers, const Availability& on_duty,
                    const EvaluationOptions& options = {});

// "12 answers are missing (ann 3, bob 9)" where an expert on duty has no answer on some case;
// nothing where all are there.
std::optional<std::string> missing_answers(const AnswerTable& answers, const Availability& on_duty);

// The columns of `experts`, in that order; an expert without a single answer has an empty column.
AnswerTable columns_of(const AnswerTable& answers, std::span<const std::string> experts);

}  // namespace ifd
