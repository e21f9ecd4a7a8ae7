// What asking is expected to gain where answers are combined: it caps a budget.
#pragma once

#include <span>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/routing/margin_table.h"

namespace ifd {

// Cases are ordered by the policy's margins, by measurement (docs/decisions.md); where the answer
// of an expert could not change the label, the expert is not asked, however large the margin.
class AskingGain {
 public:
  // The posterior means of each expert; what they point to must outlive this.
  explicit AskingGain(std::vector<std::span<const double>> means) : means_(std::move(means)) {}
  explicit AskingGain(std::span<const ExpertProfile> profiles);

  // Whether the value of information is positive. A fee for asking is to be compared with it here.
  bool gains(std::span<const float> probabilities, ExpertId expert) const;
  // Where asking the expert with the largest margin gains nothing, the margin becomes kNeverDefer.
  // `cases` are as the policy reads them.
  void drop_pointless(const Predictions& cases, MarginTable& table) const;
  // The same for the margins of all experts, N x J.
  void drop_pointless(const Predictions& cases, std::span<double> margins) const;

 private:
  std::vector<std::span<const double>> means_;
};

}  // namespace ifd
