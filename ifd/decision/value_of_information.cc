#include "ifd/decision/value_of_information.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>

namespace ifd {
namespace {

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

template <typename Number>
double value(std::span<const Number> belief, std::span<const double> means) {
  const std::size_t classes = belief.size();
  assert(means.size() == classes);
  if (classes < 2) return 0;
  const double share = 1 / static_cast<double>(classes - 1);
  // The label that stands, and the two classes that gain most by an answer that is neither.
  std::size_t top = 0;
  std::size_t first = 0;
  double largest = -1, second = -1;
  for (std::size_t y = 0; y < classes; ++y) {
    if (belief[y] > belief[top] || (belief[y] == belief[top] && means[y] > means[top])) top = y;
    const double missed = static_cast<double>(belief[y]) * ((1 - means[y]) * share);
    if (missed > largest) {
      second = largest;
      largest = missed;
      first = y;
    } else if (missed > second) {
      second = missed;
    }
  }
  const double top_missed = static_cast<double>(belief[top]) * ((1 - means[top]) * share);
  ExactSum sum(classes);
  for (std::size_t m = 0; m < classes; ++m) {
    const double named = static_cast<double>(belief[m]) * means[m];
    const double other = m == first ? second : largest;
    sum.add(std::max(named, other) - (m == top ? named : top_missed));
  }
  return sum.value();
}

}  // namespace

double value_of_information(std::span<const float> belief, std::span<const double> means) {
  return value(belief, means);
}

double value_of_information(std::span<const double> belief, std::span<const double> means) {
  return value(belief, means);
}

// With t the label that stands, another class y overtakes it if the expert names y, t, or a third.
bool can_change_label(std::span<const float> belief, std::span<const double> means) {
  const std::size_t classes = belief.size();
  assert(means.size() == classes);
  if (classes < 2) return false;
  const double share = 1 / static_cast<double>(classes - 1);
  // Most labels can be changed, and by the first classes that are tried, so that it pays to stop.
  std::size_t top = 0;
  for (std::size_t y = 1; y < classes; ++y) {
    if (belief[y] > belief[top] || (belief[y] == belief[top] && means[y] > means[top])) top = y;
  }
  const double top_belief = belief[top];
  const double top_named = top_belief * means[top];
  const double top_missed = top_belief * ((1 - means[top]) * share);
  const double third = classes > 2 ? std::min(top_named, top_missed) : top_named;
  for (std::size_t y = 0; y < classes; ++y) {
    if (y == top) continue;
    const double own = belief[y];
    if (own * means[y] > top_missed || own * ((1 - means[y]) * share) > third) return true;
  }
  return false;
}

double value_of_second_answer(std::span<const double> belief, std::span<const double> first,
                              std::span<const double> second) {
  const std::size_t classes = belief.size();
  if (classes < 2) return 0;
  const double share = 1 / static_cast<double>(classes - 1);
  std::vector<double> after(classes);
  ExactSum sum(classes);
  for (std::size_t m = 0; m < classes; ++m) {
    for (std::size_t y = 0; y < classes; ++y) {
      after[y] = belief[y] * (y == m ? first[y] : (1 - first[y]) * share);
    }
    sum.add(value(std::span<const double>(after), second));
  }
  return sum.value();
}

}  // namespace ifd
