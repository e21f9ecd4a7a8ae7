// What an evaluation shows: accuracies or, where mistakes have costs, costs per case.
//
// An evaluation counts in shares of right answers. Under costs the worst that can come of a case is
// a share of 0 and a right answer for nothing a share of 1, so that everything that is true of
// accuracies is true of them; this is the one place that turns them back.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ifd/decision/cost_unit.h"
#include "ifd/evaluation/evaluation.h"

namespace ifd {

class ShownMeasure {
 public:
  explicit ShownMeasure(const Evaluation& evaluation) : unit_(evaluation.cost_unit) {}

  bool is_cost() const { return unit_.has_value(); }
  const CostUnit& unit() const { return *unit_; }  // of costs

  // An accuracy, or the cost per case that the share stands for.
  double value(double share) const { return is_cost() ? (1 - share) * largest() : share; }
  std::optional<double> value(std::optional<double> share) const {
    return share ? std::optional(value(*share)) : std::nullopt;
  }
  // Its ends change places where less is better.
  Estimate value(const Estimate& estimate) const;

  // One value minus another, from the difference of their shares.
  double difference(double shares) const { return is_cost() ? -shares * largest() : shares; }
  Estimate difference(const Estimate& estimate) const;

  // How much better: accuracy gained, or cost saved.
  double gain(double shares) const { return is_cost() ? shares * largest() : shares; }
  Estimate gain(const Estimate& estimate) const;

  // A key of a document or a column: "model_accuracy" is "model_cost" under costs, "aursac" is
  // "mean_cost", "aurdac" is "mean_expert_cost", "gain" is "saving".
  std::string key(std::string_view of_accuracy) const;

 private:
  double largest() const { return unit_->largest_total(); }

  std::optional<CostUnit> unit_;
};

// The share of the model alone: as the policy would have it answer, where there are costs.
double model_share(const Evaluation& evaluation, const PolicyEvaluation& policy);

}  // namespace ifd
