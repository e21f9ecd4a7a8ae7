#include "ifd/decision/value_of_information.h"

#include <algorithm>
#include <cassert>
#include <cstddef>

#include "ifd/decision/exact_sum.h"

namespace ifd {
namespace {

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
