#include "ifd/policy/given_margins.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ifd/error.h"

namespace ifd {
namespace {

class GivenMargins final : public DeferralPolicy {
 public:
  GivenMargins(std::vector<double> margins, std::size_t experts)
      : margins_(std::move(margins)), experts_(experts) {
    if (experts == 0 || margins_.size() % experts != 0) {
      throw bad_input(fmt::format("{} margins; expected one for each of {} experts on every case",
                                  margins_.size(), experts));
    }
    const auto wrong =
        std::ranges::find_if_not(margins_, [](double m) { return std::isfinite(m); });
    if (wrong != margins_.end()) {
      throw bad_input(fmt::format("{} is not a margin; expected finite numbers", *wrong));
    }
  }

  std::size_t experts() const override { return experts_; }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    if (predictions.size() * experts_ != margins_.size()) {
      throw bad_input(fmt::format("margins for {} cases; expected {}, those to be scored",
                                  margins_.size() / experts_, predictions.size()));
    }
    const auto given =
        std::span(margins_).subspan(rows.first * experts_, (rows.last - rows.first) * experts_);
    std::ranges::copy(given, margins.begin());
  }

 private:
  std::vector<double> margins_;
  std::size_t experts_;
};

}  // namespace

std::unique_ptr<DeferralPolicy> given_margins(std::vector<double> margins, std::size_t experts) {
  return std::make_unique<GivenMargins>(std::move(margins), experts);
}

}  // namespace ifd
