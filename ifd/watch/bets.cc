#include "ifd/watch/bets.h"

#include <algorithm>
#include <cmath>

namespace ifd {
namespace {

// ln(e^a + e^b).
double log_sum(double a, double b) {
  const double high = std::max(a, b);
  if (std::isinf(high)) return high;
  return high + std::log1p(std::exp(std::min(a, b) - high));
}

// 1 / log2(2 + t): 1 at the beginning.
double idle_part(std::uint64_t steps) {
  return std::log(2.0) / std::log(2.0 + static_cast<double>(steps));
}

}  // namespace

Bets::Bets(std::size_t ways, double before) : ways_(ways), share_idle_(1 - before) {
  for (Way& way : ways_) way.log_at_work = std::log(before);
}

void Bets::settle_before(std::span<const double> log_payoffs) {
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    Way& way = ways_[i];
    way.log_at_work += log_payoffs[i];
    way.log_run = std::max(0.0, log_payoffs[i]);
    way.earned_before = log_payoffs[i] > 0;
  }
}

double Bets::log_idle(std::uint64_t steps) const noexcept {
  return std::log(share_idle_ * idle_part(steps));
}

void Bets::step(std::span<const double> log_payoffs, const StreamMark& mark) noexcept {
  const double newly = std::log(share_idle_ * (idle_part(steps_) - idle_part(steps_ + 1)));
  ++steps_;
  for (std::size_t i = 0; i < ways_.size(); ++i) {
    Way& way = ways_[i];
    way.log_at_work = log_sum(way.log_at_work, newly) + log_payoffs[i];
    if (way.log_run <= 0) {
      way.log_run = 0;
      way.since = mark;
      way.earned_before = false;
    }
    way.log_run += log_payoffs[i];
  }
}

double Bets::log_capital() const noexcept {
  double high = log_idle(steps_);
  const double each = -std::log(static_cast<double>(ways_.size()));
  for (const Way& way : ways_) high = std::max(high, way.log_at_work + each);
  if (std::isinf(high)) return high;
  double sum = std::exp(log_idle(steps_) - high);
  for (const Way& way : ways_) sum += std::exp(way.log_at_work + each - high);
  return high + std::log(sum);
}

std::size_t Bets::best_way() const noexcept {
  const auto best = std::max_element(ways_.begin(), ways_.end(), [](const Way& a, const Way& b) {
    return a.log_at_work < b.log_at_work;
  });
  return static_cast<std::size_t>(best - ways_.begin());
}

}  // namespace ifd
