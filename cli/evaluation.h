// Evaluating policies on replayed answers: the work of `ifd evaluate`, shared with `ifd demo`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/policy_inputs.h"
#include "ifd/data/answer_table.h"
#include "ifd/evaluation/bootstrap.h"
#include "ifd/evaluation/budget_curve.h"
#include "ifd/evaluation/operating_point.h"

namespace ifd::cli {

enum class Missing { kError, kOffDuty };

struct EvaluationOptions {
  std::vector<std::string> policies;
  std::filesystem::path answers;
  Missing missing = Missing::kError;
  double d_min = 0;
  double d_max = 1;
  std::vector<double> budgets;
  std::size_t bootstrap = 1000;
  std::filesystem::path accuracies;          // A(x | E, y), for ceiling and regret
  std::filesystem::path true_probabilities;  // eta(x), for regret
  std::uint64_t seed = 0;
  std::optional<Precision> bf16 = {};  // kBf16: only tell what it would change
};

struct BudgetPoint {
  double budget;
  double threshold;
  OperatingPoint point;
};

struct PolicyEvaluation {
  std::string policy;
  BudgetCurve curve;
  double aursac;
  std::optional<double> aurdac;
  std::optional<CurveEstimates> intervals;   // without --bootstrap 0
  std::optional<CurveEstimates> difference;  // this policy minus the first
  std::vector<double> share;  // of all cases, where the expert has the largest margin
  OperatingPoint at_zero;
  std::vector<BudgetPoint> at_budgets;
  std::optional<double> regret;  // mean, of the routes at threshold 0
};

struct Evaluation {
  std::size_t cases;
  double model_accuracy;
  std::vector<std::string> experts;
  std::vector<double> expert_accuracy;  // on the cases each answered
  std::size_t outside;                  // answers outside the classes
  CalibrationQuality quality;           // of the classifier on the scored cases
  std::vector<PolicyEvaluation> policies;
};

Evaluation evaluate(const LoadedInputs& loaded, const EvaluationOptions& options,
                    const Terminal& terminal);

}  // namespace ifd::cli
