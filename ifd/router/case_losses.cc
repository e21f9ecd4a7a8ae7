#include "ifd/router/case_losses.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "ifd/decision/costs.h"
#include "ifd/router.h"

namespace ifd {
namespace {

// What answers lose: 1 for a wrong one or, under costs, its share of the most that a case can cost.
class AnswerLoss {
 public:
  AnswerLoss(const Costs* costs, std::span<const std::string> experts) : costs_(costs) {
    if (costs_ != nullptr) fees_ = costs_->fees_of(experts);
  }

  double of_model(ClassId label, ClassId truth) const {
    if (costs_ != nullptr) return share(costs_->at(truth, label));
    return label == truth ? 0 : 1;
  }
  double of_expert(Answer answer, ClassId truth, ExpertId expert) const {
    if (costs_ != nullptr) return share(costs_->of(answer, truth) + fees_[index(expert)]);
    return answer.is(truth) ? 0 : 1;
  }
  // Of the label that came of the expert's answer.
  double of_combined(ClassId label, ClassId truth, ExpertId expert) const {
    if (costs_ == nullptr) return of_model(label, truth);
    return share(costs_->at(truth, label) + fees_[index(expert)]);
  }
  double expected_of_expert(double accuracy, ClassId truth, ExpertId expert) const {
    const double wrong = 1 - accuracy;
    if (costs_ == nullptr) return wrong;
    return share(wrong * costs_->mean_mistake(truth) + fees_[index(expert)]);
  }

 private:
  double share(double cost) const { return std::min(1., cost / costs_->largest_total()); }

  const Costs* costs_;
  std::vector<double> fees_;
};

// The labels that come of the answers of whoever is asked on each case: `answer_of(row, expert)`.
template <typename AnswerOf>
std::vector<ClassId> combined_labels(const Predictions& cases, const Routes& everything,
                                     const Router& router, AnswerOf answer_of) {
  AnswerTable asked(everything.experts(), cases.size());
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const Route& route = everything[row];
    if (route.decision() == Decision::kModel) continue;
    asked.set(case_id(row), route.expert, answer_of(row, route.expert));
  }
  // Every label is sure enough, so that nobody is sought who should look as well.
  constexpr AdviceOptions kNoAdvice{std::numeric_limits<double>::min()};
  std::vector<ClassId> labels;
  for (const CombinedCase& made : router.combine(cases, asked, kNoAdvice).cases) {
    labels.push_back(made.label);
  }
  return labels;
}

// Of each case what the combined label is expected to lose, given the truth: by each answer what
// is lost after it, with its chance.
std::vector<double> losses_of_combined(const Predictions& cases, const Routes& everything,
                                       const Router& router, const AnswerLoss& loss,
                                       const std::vector<ExpertProfile>& profiles) {
  const std::size_t classes = cases.classes().size();
  std::vector<double> losses(cases.size(), 0.0);
  for (std::size_t m = 0; m < classes; ++m) {
    const std::vector<ClassId> labels = combined_labels(
        cases, everything, router, [&](std::size_t, ExpertId) { return Answer(class_id(m)); });
    for (std::size_t row = 0; row < cases.size(); ++row) {
      const Route& route = everything[row];
      const ClassId truth = cases.label(row);
      if (route.decision() == Decision::kModel) continue;
      const double mean = profiles[index(route.expert)].at(truth).mean();
      const double chance =
          index(truth) == m ? mean : (1 - mean) / static_cast<double>(classes - 1);
      losses[row] += chance * loss.of_combined(labels[row], truth, route.expert);
    }
  }
  return losses;
}

// Of each case what the model loses, and the expert by `expert_loss(row, route)`; 1 where nobody
// may take the case.
template <typename ExpertLoss>
std::vector<LossCase> losses_of(const Predictions& cases, const Routes& everything,
                                const AnswerLoss& loss, ExpertLoss expert_loss) {
  std::vector<LossCase> losses;
  losses.reserve(cases.size());
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const Route& route = everything[row];
    losses.push_back({route.margin, loss.of_model(everything.prediction(row), cases.label(row)),
                      route.decision() == Decision::kModel ? 1 : expert_loss(row, route)});
  }
  return losses;
}

}  // namespace

std::vector<LossCase> measured_losses(const Predictions& cases, const Routes& everything,
                                      const AnswerTable& answers, const Router& router,
                                      const Costs* costs) {
  const AnswerLoss loss(costs, everything.experts());
  const bool combined = router.answer_use() == AnswerUse::kCombined;
  std::vector<ClassId> labels;
  if (combined) {
    labels = combined_labels(cases, everything, router, [&](std::size_t row, ExpertId expert) {
      return answers.at(case_id(row), expert);
    });
  }
  return losses_of(cases, everything, loss, [&](std::size_t row, const Route& route) {
    const Answer answer = answers.at(case_id(row), route.expert);
    // No answer is the worst mistake, however the model would have done without it.
    if (!combined || answer.is_missing()) {
      return loss.of_expert(answer, cases.label(row), route.expert);
    }
    return loss.of_combined(labels[row], cases.label(row), route.expert);
  });
}

std::vector<LossCase> predicted_losses(const Predictions& cases, const Routes& everything,
                                       const Router& router, const Costs* costs) {
  const AnswerLoss loss(costs, everything.experts());
  std::vector<ExpertProfile> profiles;
  for (const std::string& expert : everything.experts()) profiles.push_back(router.profile(expert));
  const bool combined = router.answer_use() == AnswerUse::kCombined;
  std::vector<double> predicted;
  if (combined) predicted = losses_of_combined(cases, everything, router, loss, profiles);
  return losses_of(cases, everything, loss, [&](std::size_t row, const Route& route) {
    if (combined) return predicted[row];
    const ClassId truth = cases.label(row);
    return loss.expected_of_expert(profiles[index(route.expert)].at(truth).mean(), truth,
                                   route.expert);
  });
}

}  // namespace ifd
