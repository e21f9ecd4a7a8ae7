// Expected costs of a case, by the model's probabilities: of each label, and of asking an expert.
//
// Sums run as those of expected accuracies do (ifd/role/expected_accuracy.h), over costs as parts
// of a power of two that none exceeds, so that renaming the classes changes no bit.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/decision/costs.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/role/expected_accuracy.h"

namespace ifd {

// Thread-safe: what it computes with is the caller's.
class ExpectedCosts {
 public:
  explicit ExpectedCosts(std::shared_ptr<const Costs> costs);

  const Costs& costs() const { return *costs_; }

  // What the model should answer: argmin_k sum_y rho_y C[y][k]. Among labels of equal cost the more
  // probable, then the lowest index; the cost does not depend on which.
  struct ModelAnswer {
    ClassId label;
    double cost;
  };
  // One object per thread, for one case after another.
  struct Scratch {
    ExpectedAccuracy sums = {};
    std::vector<double> of_labels = {};
  };
  ModelAnswer model_answer(std::span<const float> probabilities, Scratch& scratch) const;
  ClassId label(std::span<const float> probabilities, Scratch& scratch) const {
    return model_answer(probabilities, scratch).label;
  }
  // sum_y belief_y C[y][k] of each label k, as a part of unit(). Stands until the scratch is used
  // again.
  std::span<const double> of_labels(std::span<const double> belief, Scratch& scratch) const;
  // C[truth][k] of each label k, as a part of unit().
  const double* row(std::size_t truth) const { return labels_.row(truth); }

  // sum_m P(m|y) C[y][m] for each class y, as a part of unit(): wrong answers are spread evenly
  // over the other classes.
  ClassValues of_experts(std::span<const ExpertProfile> profiles) const;
  double unit() const { return unit_; }

 private:
  std::shared_ptr<const Costs> costs_;
  double unit_;         // a power of two
  ClassValues labels_;  // C[y][k] for label k in place of an expert
};

// What the model answers on each case: by the costs or, where `costs` is null, the most probable.
std::vector<ClassId> answers_of_model(const Predictions& cases, const ExpectedCosts* costs);

}  // namespace ifd
