// A sum that no order of its terms changes.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>

namespace ifd {

// Adds numbers in 0..1 exactly, whatever their order, after rounding each to a grid on which K of
// them fit into a double.
class ExactSum {
 public:
  explicit ExactSum(std::size_t terms)
      : steps_(std::ldexp(1.0, 50 - static_cast<int>(std::bit_width(terms)))) {}
  void add(double term) { sum_ += (term * steps_ + kToInteger) - kToInteger; }
  double value() const { return sum_ / steps_; }

 private:
  // Added to a number below 2^50 it leaves no bit below the point.
  static constexpr double kToInteger = 0x1.8p52;
  double steps_;
  double sum_ = 0;
};

}  // namespace ifd
