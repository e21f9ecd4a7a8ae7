#include "ifd/evaluation/answer_worth.h"

#include <algorithm>
#include <utility>

namespace ifd {

AnswerWorth::AnswerWorth(std::shared_ptr<const ExpectedCosts> costs,
                         std::span<const std::string> experts, ModelAnswers model)
    : costs_(std::move(costs)), model_(model) {
  if (!costs_) return;
  for (const std::string& name : experts) fees_.push_back(costs_->costs().fee(name));
}

std::vector<ClassId> AnswerWorth::model_labels(const Predictions& cases) const {
  return answers_of_model(cases, model_ == ModelAnswers::kByCosts ? costs_.get() : nullptr);
}

Credit AnswerWorth::of_model(ClassId label, ClassId truth) const {
  return costs_ ? credit_after(model_cost(label, truth)) : credit_if(label == truth);
}

Credit AnswerWorth::of_expert(Answer answer, ClassId truth, ExpertId expert) const {
  return costs_ ? credit_after(expert_cost(answer, truth, expert)) : credit_if(answer.is(truth));
}

Credit AnswerWorth::credit_after(double cost) const {
  // The sum of the largest cost and the largest fee may round to less than that of its parts.
  return credit_of(std::clamp(1 - cost / costs_->costs().largest_total(), 0.0, 1.0));
}

}  // namespace ifd
