#include "ifd/report/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

#include "ifd/error.h"
#include "ifd/report/html_text.h"

namespace ifd {
namespace {

constexpr double kLargest = 1e300;
constexpr double kSmallest = 1e-290;

// A range whose width is at least a millionth of its size: below that, ticks a double can hold
// apart would need more digits than a reader can compare.
Range opened_if_narrow(Range range, Scale scale) {
  if (range.low > range.high) std::swap(range.low, range.high);
  if (scale == Scale::kLogarithmic) {
    if (range.high < range.low * (1 + 1e-6)) return {range.low / 2, range.high * 2};
    return range;
  }
  const double size = std::max(std::abs(range.low), std::abs(range.high));
  if (size < kSmallest) return {-1, 1};
  if (range.high - range.low < 1e-6 * size) return {range.low - size / 4, range.high + size / 4};
  return range;
}

// 1, 2 or 5 times a power of ten: the largest that fits `intervals` times into `width`.
double nice_step(double width, int intervals) {
  const double most = width / intervals * (1 + 1e-9);
  const double power = std::pow(10, std::floor(std::log10(most)));
  for (const double factor : {10.0, 5.0, 2.0, 1.0, 0.5}) {
    if (factor * power <= most) return factor * power;
  }
  return power / 5;
}

// Fewest digits after the point that still write a multiple of `step` exactly.
int digits_of_step(double step) {
  return std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
}

std::string tick_label(double value, double step, Unit unit) {
  const double scale = unit == Unit::kPercent ? 100 : 1;
  const double size = std::abs(value * scale);
  const int digits = digits_of_step(step * scale);
  std::string label;
  if (size >= 1e6 || digits > 5) {
    // As many significant digits as tell this tick from its neighbours.
    const int significant =
        size > 0 ? static_cast<int>(std::ceil(std::log10(size / (step * scale)))) + 1 : 1;
    label = fmt::format("{:.{}g}", size, std::clamp(significant, 1, 15));
    if (value < 0) label.insert(0, "\u2212");
  } else {
    label = fixed(value * scale, digits);
  }
  return unit == Unit::kPercent ? label + "%" : label;
}

}  // namespace

bool drawable(double value, Scale scale) {
  if (!std::isfinite(value) || std::abs(value) > kLargest) return false;
  return scale == Scale::kLinear || value > kSmallest;
}

Range range_of(const std::vector<double>& values, Scale scale) {
  std::optional<Range> range;
  for (const double value : values) {
    if (!drawable(value, scale)) continue;
    if (!range) range = Range{value, value};
    range->low = std::min(range->low, value);
    range->high = std::max(range->high, value);
  }
  if (!range) return scale == Scale::kLinear ? Range{0, 1} : Range{1, 10};
  return opened_if_narrow(*range, scale);
}

Axis::Axis(Range range, Scale scale, Unit unit, int min_intervals)
    : range_(opened_if_narrow(range, scale)),
      scale_(scale),
      unit_(unit),
      min_intervals_(std::clamp(min_intervals, 3, 4)) {
  for (const double end : {range.low, range.high}) {
    // Ticks that open a range of drawable values may lie somewhat beyond the largest.
    if (!drawable(end / 10, scale)) {
      throw bad_input(fmt::format("an axis ends at {}; expected a {} number", end,
                                  scale == Scale::kLinear ? "finite" : "positive, finite"));
    }
  }
  if (scale == Scale::kLinear) {
    place_linear_ticks(min_intervals_);
  } else {
    place_logarithmic_ticks(min_intervals_);
  }
}

void Axis::place_linear_ticks(int min_intervals) {
  step_ = nice_step(range_.high - range_.low, min_intervals);
  // An end that is a multiple but for rounding counts as one.
  const double slack = 1e-9;
  const double first = std::ceil(range_.low / step_ - slack);
  const double last = std::floor(range_.high / step_ + slack);
  for (double i = first; i <= last; ++i) {
    const double value = std::clamp(i * step_, range_.low, range_.high);
    ticks_.push_back({value, tick_label(i * step_, step_, unit_)});
  }
}

void Axis::place_logarithmic_ticks(int min_intervals) {
  const int first = static_cast<int>(std::floor(std::log10(range_.low)));
  const int last = static_cast<int>(std::ceil(std::log10(range_.high)));
  const auto place = [&](const std::vector<double>& factors, int stride) {
    ticks_.clear();
    for (int decade = first; decade <= last; decade += stride) {
      for (const double factor : factors) {
        const double value = factor * std::pow(10, decade);
        if (value < range_.low * (1 - 1e-12) || value > range_.high * (1 + 1e-12)) continue;
        const double inside = std::clamp(value, range_.low, range_.high);
        ticks_.push_back({inside, tick_label(value, value, unit_)});
      }
    }
    return ticks_.size() >= 3 && ticks_.size() <= 11;
  };
  if (last - first <= 3 && place({1, 2, 5}, 1)) return;
  if (place({1}, std::max(1, (last - first + 9) / 10))) return;
  if (place({1, 2, 5}, 1)) return;
  ticks_.clear();
  place_linear_ticks(min_intervals);
}

Axis Axis::opened() const {
  if (scale_ == Scale::kLogarithmic) return *this;
  const Range wider = {std::floor(range_.low / step_ + 1e-9) * step_,
                       std::ceil(range_.high / step_ - 1e-9) * step_};
  // The wider range may ask for wider steps, which may ask for a wider range; steps settle soon.
  const Axis axis(wider, scale_, unit_, min_intervals_);
  return axis.step_ == step_ ? axis : axis.opened();
}

double Axis::fraction(double value) const {
  double share = 0;
  if (scale_ == Scale::kLinear) {
    share = (value - range_.low) / (range_.high - range_.low);
  } else {
    share = std::log(value / range_.low) / std::log(range_.high / range_.low);
  }
  return std::clamp(share, -4.0, 5.0);
}

double Axis::value(double fraction) const {
  if (fraction <= 0) return range_.low;
  if (fraction >= 1) return range_.high;
  if (scale_ == Scale::kLinear) return range_.low + fraction * (range_.high - range_.low);
  return range_.low * std::pow(range_.high / range_.low, fraction);
}

std::string Axis::text(double value, int digits) const {
  return unit_ == Unit::kPercent ? percent(value, digits) : fixed(value, digits);
}

std::string Axis::text(double value) const {
  const double width = (unit_ == Unit::kPercent ? 100 : 1) * (range_.high - range_.low);
  const double digits = std::floor(-std::log10(width / 1000) + 1e-9);
  return text(value, static_cast<int>(std::clamp(digits, 0.0, 9.0)));
}

std::vector<std::string> Axis::short_texts(const std::vector<double>& values) const {
  const double scale = unit_ == Unit::kPercent ? 100 : 1;
  const double width = scale * (range_.high - range_.low);
  const int most = static_cast<int>(std::clamp(std::floor(-std::log10(width / 1000)), 0.0, 9.0));
  int digits = 0;
  for (const double value : values) {
    while (digits < most) {
      const double power = std::pow(10, digits);
      const double rounded = std::round(value * scale * power) / power;
      if (std::abs(value * scale - rounded) <= 1e-9 * width) break;
      ++digits;
    }
  }
  std::vector<std::string> texts;
  texts.reserve(values.size());
  for (const double value : values) texts.push_back(text(value, digits));
  return texts;
}

std::vector<double> push_apart(const std::vector<double>& wanted, double gap, Range bounds) {
  // Minus i * gap the positions need only ascend: an isotonic regression, solved by pooling
  // neighbours that violate the order; bounding the solution keeps it optimal.
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    pools.push_back({wanted[i] - static_cast<double>(i) * gap, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  const double room = bounds.high - gap * (static_cast<double>(wanted.size()) - 1);
  std::vector<double> placed;
  for (const Pool& pool : pools) {
    const double position = std::clamp(pool.mean(), bounds.low, std::max(bounds.low, room));
    for (std::size_t i = 0; i < pool.count; ++i) {
      placed.push_back(position + static_cast<double>(placed.size()) * gap);
    }
  }
  return placed;
}

}  // namespace ifd
