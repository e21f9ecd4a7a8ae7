#include "ifd/certificate/exchangeability_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ifd/error.h"
#include "ifd/routing/budget.h"

namespace ifd {
namespace {

constexpr std::size_t kMostNewMargins = 1024;
constexpr double kChangesOfMind = .01;

}  // namespace

void ExchangeabilityWatch::Jumper::bet(double uniform) {
  const double shared = kChangesOfMind * wealth() / 3;
  const double stake = uniform - .5;
  on_small_ = ((1 - kChangesOfMind) * on_small_ + shared) * (1 - stake);
  on_neither_ = (1 - kChangesOfMind) * on_neither_ + shared;
  on_large_ = ((1 - kChangesOfMind) * on_large_ + shared) * (1 + stake);
}

ExchangeabilityWatch::ExchangeabilityWatch(std::span<const double> calibration_margins,
                                           double false_alarms)
    : false_alarms_(false_alarms),
      margins_(calibration_margins.begin(), calibration_margins.end()) {
  if (!(false_alarms > 0 && false_alarms < 1)) {
    throw bad_input(
        fmt::format("false alarms: {} is not a rate; expected a number between 0 and 1, both out",
                    false_alarms));
  }
  check_margins(margins_);
  std::sort(margins_.begin(), margins_.end());
}

double ExchangeabilityWatch::conformal_p_value(double margin, double tie_break) const {
  double above = 0;
  double equal = 1;  // with itself
  for (const std::vector<double>* part : {&margins_, &new_margins_}) {
    const auto [first, last] = std::equal_range(part->begin(), part->end(), margin);
    above += static_cast<double>(part->end() - last);
    equal += static_cast<double>(last - first);
  }
  return (above + tie_break * equal) /
         static_cast<double>(margins_.size() + new_margins_.size() + 1);
}

void ExchangeabilityWatch::insert(double margin) {
  new_margins_.insert(std::upper_bound(new_margins_.begin(), new_margins_.end(), margin), margin);
  if (new_margins_.size() < kMostNewMargins) return;
  const auto middle = static_cast<std::ptrdiff_t>(margins_.size());
  margins_.insert(margins_.end(), new_margins_.begin(), new_margins_.end());
  std::inplace_merge(margins_.begin(), margins_.begin() + middle, margins_.end());
  new_margins_.clear();
}

bool ExchangeabilityWatch::add(double margin, double tie_break) {
  if (alarm_) return true;
  check_margins(std::span(&margin, 1));
  const double p = conformal_p_value(margin, tie_break);
  insert(margin);
  ++cases_;
  place_.bet(p);
  spread_.bet(std::abs(2 * p - 1));
  if (evidence() >= 1 / false_alarms_) alarm_ = cases_;
  return alarm_.has_value();
}

double ExchangeabilityWatch::evidence() const { return (place_.wealth() + spread_.wealth()) / 2; }

}  // namespace ifd
