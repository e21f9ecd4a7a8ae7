#include "ifd/evaluation/answer_worth.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ifd {

AnswerWorth::AnswerWorth(std::shared_ptr<const ExpectedCosts> costs,
                         std::span<const std::string> experts, ModelAnswers model)
    : costs_(std::move(costs)), model_(model) {
  if (costs_) fees_ = costs_->costs().fees_of(experts);
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

Credit AnswerWorth::of_combined(const CombinedAnswer& made, ClassId truth, ExpertId expert) const {
  if (costs_) return credit_after(combined_cost(made, truth, expert));
  const auto found = std::find(made.tied.begin(), made.tied.end(), truth);
  return found == made.tied.end() ? kWrongAnswer : shared_credit(made.tied.size());
}

double AnswerWorth::combined_cost(const CombinedAnswer& made, ClassId truth,
                                  ExpertId expert) const {
  if (made.tied.size() == 1) return model_cost(made.label, truth) + fees_[index(expert)];
  std::vector<double> of_tied;
  for (const ClassId label : made.tied) of_tied.push_back(model_cost(label, truth));
  std::sort(of_tied.begin(), of_tied.end());  // so that no name of a class decides about rounding
  return std::accumulate(of_tied.begin(), of_tied.end(), 0.0) /
             static_cast<double>(of_tied.size()) +
         fees_[index(expert)];
}

Credit AnswerWorth::credit_after(double cost) const {
  // The sum of the largest cost and the largest fee may round to less than that of its parts.
  return credit_of(std::clamp(1 - cost / costs_->costs().largest_total(), 0.0, 1.0));
}

}  // namespace ifd
