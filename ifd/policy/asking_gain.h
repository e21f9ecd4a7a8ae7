// What asking is expected to gain where answers are combined: it caps a budget.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/decision/expected_saving.h"
#include "ifd/decision/label_change.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/routing/margin_table.h"

namespace ifd {

// Cases are ordered by the policy's margins, by measurement (docs/decisions.md). Where the answer
// of an expert could not change the label or, under costs, is not expected to save more than the
// fee, the expert is not asked, however large the margin.
class AskingGain {
 public:
  // The posterior means of each expert, and their names, whose fees count. `costs` decide about
  // labels, or are null. What means and costs point to must outlive this.
  AskingGain(std::vector<std::span<const double>> means, const ExpectedCosts* costs,
             std::span<const std::string> experts);
  AskingGain(std::span<const ExpertProfile> profiles, const ExpectedCosts* costs,
             std::span<const std::string> experts);

  // The value of information, or what is expected to be saved, the fee taken off.
  double value(std::span<const float> probabilities, ExpertId expert, SavingScratch& scratch) const;
  // The chance that the label that comes of asking is right.
  double chance_of_right_label(std::span<const float> probabilities, ExpertId expert,
                               SavingScratch& scratch) const;
  // Where asking the expert with the largest margin gains nothing at all, the margin
  // becomes kNeverDefer. `cases` are as the policy reads them.
  void drop_pointless(const Predictions& cases, MarginTable& table) const;
  // The same for some of the cases; thread-safe for others of one table.
  void drop_pointless(const Predictions& cases, CaseRange rows, MarginTable& table) const;
  // The same for the margins of all experts, N x J.
  void drop_pointless(const Predictions& cases, std::span<double> margins) const;

 private:
  // Whether labels count by being right alone, so that an answer gains if it can change the label.
  bool counts_labels() const { return costs_ == nullptr || costs_->costs().even_cost(); }

  std::vector<std::span<const double>> means_;
  std::vector<AskedExpert> asked_;
  const ExpectedCosts* costs_ = nullptr;  // null: every mistake is as bad as any other
  std::vector<double> fees_ = {};         // with costs
};

}  // namespace ifd
