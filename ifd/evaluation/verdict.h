// What an evaluation means, in sentences: does deferral help, up to which budget, by how much, who
// carries it, and what is wrong.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ifd/data/answers_format.h"
#include "ifd/evaluation/evaluation.h"

namespace ifd {

struct Verdict {
  // Follows the interval of the gain, not its point.
  enum class Answer { kHelps, kNotSure, kHurts, kNothingDeferred };
  Answer answer;
  std::string policy;                  // the one it is about
  std::vector<std::string> sentences;  // the answer, how far it reaches, who carries it
  std::vector<std::string> warnings;   // what is wrong, with what to do about it
  std::optional<double> target = {};   // the accuracy that was asked for
};

struct VerdictOptions {
  bool is_calibrated = false;         // the classifier was calibrated already
  std::optional<double> target = {};  // an accuracy: which budget reaches it?
};

// About the first policy that could be used, that is no reference; about the first of all where
// there is none. Without a bootstrap nothing is sure, and the sentences say so.
Verdict verdict_on(const Evaluation& evaluation, const VerdictOptions& options = {});

// What to say where the truths of the context were computed from the answers; empty where they were
// given.
std::string computed_truths_warning(TruthKind kind);

// Where a policy would be used, which is what the verdict speaks of: at threshold 0 if its margins
// are expected gains or no budget was asked for, otherwise within that of the asked budgets where
// it gains most.
struct PointOfUse {
  std::optional<double> budget;  // none: threshold 0
  const OperatingPoint* point;   // of the evaluation, which must outlive this
  double accuracy;
  std::optional<AccuracyEstimate> estimate;
};
PointOfUse point_of_use(const PolicyEvaluation& policy);

// By expert: the share that each takes of the deferred cases; empty where none is.
std::vector<double> shares_of_deferred(const OperatingPoint& point);

// What it takes to reach an accuracy, by a curve, which knows no capacities.
struct Reach {
  double accuracy;               // to be reached
  std::optional<double> budget;  // the smallest share of the cases whose deferral does; none does
  double highest;                // accuracy at any budget
  double highest_at;             // the smallest budget that has it
};
Reach reach_of(const BudgetCurve& curve, double accuracy);
// Its budget alone.
std::optional<double> budget_to_reach(const BudgetCurve& curve, double accuracy);

}  // namespace ifd
