#include "ifd/policy/cost_policy.h"

#include <cassert>
#include <utility>

#include "ifd/decision/expected_saving.h"
#include "ifd/policy/untrained.h"

namespace ifd {
namespace {

class LeastExpectedCost final : public DeferralPolicy {
 public:
  LeastExpectedCost(const Roster& roster, std::shared_ptr<const ExpectedCosts> costs)
      : costs_(std::move(costs)),
        of_experts_(costs_->of_experts(roster.profiles)),
        fees_(costs_->costs().fees_of(roster.names)) {}

  std::size_t experts() const override { return fees_.size(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    ExpectedCosts::Scratch scratch;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const auto probabilities = predictions.probabilities(row);
      // Before the sums of the experts, which go on with the order of its classes.
      const double model = costs_->model_answer(probabilities, scratch).cost;
      const auto out = margins.subspan((row - rows.first) * experts(), experts());
      scratch.sums.add(of_experts_, out);
      for (std::size_t j = 0; j < out.size(); ++j) {
        out[j] = model - out[j] * costs_->unit() - fees_[j];
      }
    }
  }

 private:
  std::shared_ptr<const ExpectedCosts> costs_;
  ClassValues of_experts_;
  std::vector<double> fees_;
};

class LargestSaving final : public DeferralPolicy {
 public:
  LargestSaving(const Roster& roster, std::shared_ptr<const ExpectedCosts> costs)
      : costs_(std::move(costs)),
        profiles_(roster.profiles),
        fees_(costs_->costs().fees_of(roster.names)) {}

  std::size_t experts() const override { return fees_.size(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    SavingScratch scratch;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const auto out = margins.subspan((row - rows.first) * experts(), experts());
      for (std::size_t j = 0; j < out.size(); ++j) {
        out[j] = expected_saving(*costs_, predictions.probabilities(row), profiles_[j].means(),
                                 scratch) -
                 fees_[j];
      }
    }
  }

 private:
  std::shared_ptr<const ExpectedCosts> costs_;
  std::vector<ExpertProfile> profiles_;
  std::vector<double> fees_;
};

// Every mistake costs the same, and nobody has a fee.
class EvenCost final : public DeferralPolicy {
 public:
  EvenCost(const Roster& roster, double cost)
      : chances_(plug_in_policy(roster, MarginScale::kProbability)), cost_(cost) {}

  std::size_t experts() const override { return chances_->experts(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    chances_->score(predictions, rows, margins);
    for (double& margin : margins) margin *= cost_;
  }

 private:
  std::unique_ptr<DeferralPolicy> chances_;
  double cost_;
};

class CostOracle final : public DeferralPolicy {
 public:
  CostOracle(const AnswerTable& answers, std::shared_ptr<const ExpectedCosts> costs)
      : answers_(answers),
        costs_(std::move(costs)),
        fees_(costs_->costs().fees_of(answers.expert_names())) {}

  std::size_t experts() const override { return answers_.experts(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    assert(predictions.has_labels() && predictions.size() == answers_.cases());
    const Costs& costs = costs_->costs();
    ExpectedCosts::Scratch scratch;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const ClassId truth = predictions.label(row);
      const double model = costs.at(truth, costs_->label(predictions.probabilities(row), scratch));
      for (std::size_t j = 0; j < experts(); ++j) {
        margins[(row - rows.first) * experts() + j] =
            model - costs.of(answers_.at(case_id(row), expert_id(j)), truth) - fees_[j];
      }
    }
  }

 private:
  const AnswerTable& answers_;
  std::shared_ptr<const ExpectedCosts> costs_;
  std::vector<double> fees_;
};

}  // namespace

std::unique_ptr<DeferralPolicy> cost_policy(const Roster& roster,
                                            std::shared_ptr<const ExpectedCosts> costs) {
  if (const auto even = costs->costs().even_cost()) {
    return std::make_unique<EvenCost>(roster, *even);
  }
  return std::make_unique<LeastExpectedCost>(roster, std::move(costs));
}

std::unique_ptr<DeferralPolicy> combined_cost_policy(const Roster& roster,
                                                     std::shared_ptr<const ExpectedCosts> costs) {
  if (costs->costs().even_cost()) return cost_policy(roster, std::move(costs));
  return std::make_unique<LargestSaving>(roster, std::move(costs));
}

std::unique_ptr<DeferralPolicy> cost_oracle_policy(const AnswerTable& answers,
                                                   std::shared_ptr<const ExpectedCosts> costs) {
  return std::make_unique<CostOracle>(answers, std::move(costs));
}

}  // namespace ifd
