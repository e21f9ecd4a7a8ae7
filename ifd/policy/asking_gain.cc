#include "ifd/policy/asking_gain.h"

#include "ifd/decision/value_of_information.h"

namespace ifd {

AskingGain::AskingGain(std::span<const ExpertProfile> profiles) {
  for (const ExpertProfile& profile : profiles) means_.push_back(profile.means());
}

bool AskingGain::gains(std::span<const float> probabilities, ExpertId expert) const {
  return can_change_label(probabilities, means_[index(expert)]);
}

void AskingGain::drop_pointless(const Predictions& cases, MarginTable& table) const {
  for (std::size_t row = 0; row < table.size(); ++row) {
    if (table.expert[row] == kNobody) continue;
    if (!gains(cases.probabilities(row), table.expert[row])) table.margin[row] = kNeverDefer;
  }
}

void AskingGain::drop_pointless(const Predictions& cases, std::span<double> margins) const {
  for (std::size_t row = 0; row < cases.size(); ++row) {
    for (std::size_t j = 0; j < means_.size(); ++j) {
      if (!gains(cases.probabilities(row), expert_id(j))) {
        margins[row * means_.size() + j] = kNeverDefer;
      }
    }
  }
}

}  // namespace ifd
