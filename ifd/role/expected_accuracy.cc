#include "ifd/role/expected_accuracy.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ifd/role/expected_accuracy.cc"
#include <hwy/foreach_target.h>
// Highway compiles what follows once for every instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ifd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// The stride is a multiple of this, the widest vector we use.
using Lanes = hn::CappedTag<double, 8>;

// sums = sum over groups of weight * (sum over the rows of the group). Multiplication and addition
// stay apart (no FMA), so that every instruction set gives the same bits.
void add_groups(const double* const* rows, const std::size_t* group_end, const double* weights,
                std::size_t groups, std::size_t stride, double* HWY_RESTRICT sums) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  for (std::size_t j = 0; j < stride; j += lanes) {
    auto total = hn::Zero(d);
    std::size_t row = 0;
    for (std::size_t g = 0; g < groups; ++g) {
      auto group = hn::LoadU(d, rows[row++] + j);
      while (row < group_end[g]) group = hn::Add(group, hn::LoadU(d, rows[row++] + j));
      total = hn::Add(total, hn::Mul(hn::Set(d, weights[g]), group));
    }
    hn::StoreU(total, d, sums + j);
  }
}

}  // namespace ifd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ifd {

HWY_EXPORT(add_groups);

namespace {

constexpr std::size_t kWidestVector = 8;

// Sums of up to `classes` multiples of the result's grid in 0..1 are exact in a double.
double to_grid(double value, std::size_t classes) {
  assert(value >= 0 && value <= 1);
  const int bits = 53 - static_cast<int>(std::bit_width(classes));
  return std::ldexp(std::nearbyint(std::ldexp(value, bits)), -bits);
}

}  // namespace

ClassValues::ClassValues(std::span<const std::span<const double>> values)
    : experts_(values.size()),
      classes_(values.empty() ? 0 : values.front().size()),
      stride_((experts_ + kWidestVector - 1) / kWidestVector * kWidestVector),
      grid_(classes_ * stride_) {
  for (std::size_t j = 0; j < experts_; ++j) {
    for (std::size_t k = 0; k < classes_; ++k) {
      grid_[k * stride_ + j] = to_grid(values[j][k], classes_);
    }
  }
}

ExpectedAccuracy::ExpectedAccuracy(const ClassValues& values)
    : values_(values), padded_(values.stride()) {}

void ExpectedAccuracy::operator()(std::span<const float> probabilities, std::span<double> sums) {
  // Classes with probability zero add exactly nothing.
  order_.clear();
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    if (probabilities[k] > 0) order_.push_back(k);
  }
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
  weights_.clear();
  group_end_.clear();
  class_row_.clear();
  for (const std::size_t k : order_) {
    if (weights_.empty() || weights_.back() != probabilities[k]) {
      weights_.push_back(probabilities[k]);
      group_end_.push_back(class_row_.size());
    }
    class_row_.push_back(values_.row(k));
    group_end_.back() = class_row_.size();
  }
  HWY_DYNAMIC_DISPATCH(add_groups)
  (class_row_.data(), group_end_.data(), weights_.data(), weights_.size(), values_.stride(),
   padded_.data());
  std::copy_n(padded_.begin(), sums.size(), sums.begin());
}

double expected_value(std::span<const float> probabilities, std::span<const double> values) {
  const std::span<const double> one[] = {values};
  const ClassValues laid_out(one);
  double sum = 0;
  ExpectedAccuracy{laid_out}(probabilities, std::span(&sum, 1));
  return sum;
}

}  // namespace ifd
#endif  // HWY_ONCE
