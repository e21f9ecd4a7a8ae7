// Axes: which values to name on them, and where a value lies along them. Shared by all charts.
#pragma once

#include <string>
#include <vector>

namespace ifd {

enum class Scale { kLinear, kLogarithmic };
enum class Unit { kNumber, kPercent };  // a tick reads "0.8" or "80%"

struct Range {
  double low = 0;
  double high = 1;
};

// Finite, of a size that arithmetic survives and, on a logarithmic scale, positive. Values that
// are not drawable are treated as missing.
bool drawable(double value, Scale scale);

// The range of the drawable values; [0, 1], or [1, 10], if there are none. Always wide enough to
// be divided: a range of equal values opens around them.
Range range_of(const std::vector<double>& values, Scale scale);

struct Tick {
  double value;
  std::string label;
};

class Axis {
 public:
  // Ends that are not drawable are an Error(kBadInput).
  // `range` is opened like range_of if it is too narrow, and its ends may come in either order.
  // Linear ticks are multiples of 1, 2 or 5 times a power of ten and have between
  // `min_intervals` (3 or 4) and 2.5 times as many gaps; logarithmic ticks are decades, with 2 and
  // 5 between when the decades are few. Always 3 to 11 ticks, all inside the range.
  Axis(Range range, Scale scale, Unit unit, int min_intervals = 4);

  // The axis opened to the next tick at either end, so that the first and last tick bound the
  // data. A logarithmic axis stays as it is.
  Axis opened() const;

  const Range& range() const { return range_; }
  const std::vector<Tick>& ticks() const { return ticks_; }

  // 0 at the low end, 1 at the high end. Never beyond [-4, 5], so that coordinates stay small.
  double fraction(double value) const;
  // The value at a fraction in 0..1.
  double value(double fraction) const;

  // A value as a table cites it: about a thousandth of the axis is resolved.
  std::string text(double value) const;
  // Values that all are short stay short: 10, 25, 50 rather than 10.0, 25.0, 50.0.
  std::vector<std::string> short_texts(const std::vector<double>& values) const;

 private:
  std::string text(double value, int digits) const;
  void place_linear_ticks(int min_intervals);
  void place_logarithmic_ticks(int min_intervals);

  Range range_;
  Scale scale_;
  Unit unit_;
  int min_intervals_;
  double step_ = 0;  // between linear ticks
  std::vector<Tick> ticks_;
};

// Positions as near to `wanted` (ascending) as `gap` between neighbours and the bounds allow: the
// least sum of squared moves. Used so that labels at line ends do not overlap.
// Requires high - low >= gap * (wanted.size() - 1).
std::vector<double> push_apart(const std::vector<double>& wanted, double gap, Range bounds);

}  // namespace ifd
