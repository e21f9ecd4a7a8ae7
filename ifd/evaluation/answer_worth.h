// What answers are worth in an evaluation: right or wrong, or by what they cost.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/decision/combined_answer.h"
#include "ifd/decision/expected_costs.h"
#include "ifd/evaluation/credit.h"

namespace ifd {

// What the model answers where there are costs: what is expected to cost least, or the most
// probable class as if there were none.
enum class ModelAnswers { kByCosts, kMostProbable };

class AnswerWorth {
 public:
  // A right answer is worth a whole credit, and a wrong one nothing.
  AnswerWorth() = default;
  // 1 - (cost + fee) / the largest total of the costs. Right or wrong where `costs` is null.
  AnswerWorth(std::shared_ptr<const ExpectedCosts> costs, std::span<const std::string> experts,
              ModelAnswers model);

  std::vector<ClassId> model_labels(const Predictions& cases) const;
  Credit of_model(ClassId label, ClassId truth) const;
  Credit of_expert(Answer answer, ClassId truth, ExpertId expert) const;
  // Of the label that the expert's answer and the model make together. Labels that nothing tells
  // apart share the credit.
  Credit of_combined(const CombinedAnswer& made, ClassId truth, ExpertId expert) const;
  bool has_costs() const { return costs_ != nullptr; }
  // What decides about labels: null where there are no costs, or they are not looked at.
  const ExpectedCosts* deciding_costs() const {
    return model_ == ModelAnswers::kByCosts ? costs_.get() : nullptr;
  }
  // In the unit of the costs; only where there are some.
  double model_cost(ClassId label, ClassId truth) const { return costs_->costs().at(truth, label); }
  double expert_cost(Answer answer, ClassId truth, ExpertId expert) const {
    return costs_->costs().of(answer, truth) + fees_[index(expert)];
  }
  double combined_cost(const CombinedAnswer& made, ClassId truth, ExpertId expert) const;

 private:
  Credit credit_after(double cost) const;

  std::shared_ptr<const ExpectedCosts> costs_;  // null: right or wrong
  std::vector<double> fees_;
  ModelAnswers model_ = ModelAnswers::kMostProbable;
};

}  // namespace ifd
