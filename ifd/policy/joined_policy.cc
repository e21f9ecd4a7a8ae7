#include "ifd/policy/joined_policy.h"

#include <algorithm>
#include <utility>

namespace ifd {
namespace {

class JoinedPolicy final : public DeferralPolicy {
 public:
  explicit JoinedPolicy(std::vector<std::shared_ptr<const DeferralPolicy>> parts)
      : parts_(std::move(parts)) {
    for (const auto& part : parts_) experts_ += part->experts();
  }

  std::size_t experts() const override { return experts_; }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    std::vector<double> here;
    std::size_t first_expert = 0;
    for (const auto& part : parts_) {
      const std::size_t width = part->experts();
      here.resize((rows.last - rows.first) * width);
      part->score(predictions, rows, here);
      for (std::size_t i = 0; i < rows.last - rows.first; ++i) {
        const auto from = std::span(here).subspan(i * width, width);
        std::copy(from.begin(), from.end(), margins.subspan(i * experts_ + first_expert).begin());
      }
      first_expert += width;
    }
  }

 private:
  std::vector<std::shared_ptr<const DeferralPolicy>> parts_;
  std::size_t experts_ = 0;
};

}  // namespace

std::unique_ptr<DeferralPolicy> joined_policy(
    std::vector<std::shared_ptr<const DeferralPolicy>> parts) {
  return std::make_unique<JoinedPolicy>(std::move(parts));
}

}  // namespace ifd
