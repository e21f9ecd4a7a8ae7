#include "ifd/role/expected_accuracy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstdint>
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

// Groups of rows, and how far each reaches.
struct Groups {
  const double* const* rows;
  const std::size_t* end;
  const double* weights;
  std::size_t count;
};

// sums = sum over groups of weight * (sum over the rows of the group), for `kVectors` vectors of
// experts at once: a lone sum would wait for each of its additions. Multiplication and addition
// stay apart (no FMA), so that every instruction set gives the same bits.
template <std::size_t kVectors>
HWY_INLINE void add_columns(const Groups& groups, std::size_t j, double* HWY_RESTRICT sums) {
  static_assert(kVectors == 1 || kVectors == 4);
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  auto total0 = hn::Zero(d);
  auto total1 = total0;
  auto total2 = total0;
  auto total3 = total0;
  std::size_t row = 0;
  for (std::size_t g = 0; g < groups.count; ++g) {
    const double* values = groups.rows[row] + j;
    auto group0 = hn::LoadU(d, values);
    auto group1 = group0;
    auto group2 = group0;
    auto group3 = group0;
    if constexpr (kVectors == 4) {
      group1 = hn::LoadU(d, values + lanes);
      group2 = hn::LoadU(d, values + 2 * lanes);
      group3 = hn::LoadU(d, values + 3 * lanes);
    }
    while (++row < groups.end[g]) {
      values = groups.rows[row] + j;
      group0 = hn::Add(group0, hn::LoadU(d, values));
      if constexpr (kVectors == 4) {
        group1 = hn::Add(group1, hn::LoadU(d, values + lanes));
        group2 = hn::Add(group2, hn::LoadU(d, values + 2 * lanes));
        group3 = hn::Add(group3, hn::LoadU(d, values + 3 * lanes));
      }
    }
    const auto weight = hn::Set(d, groups.weights[g]);
    total0 = hn::Add(total0, hn::Mul(weight, group0));
    if constexpr (kVectors == 4) {
      total1 = hn::Add(total1, hn::Mul(weight, group1));
      total2 = hn::Add(total2, hn::Mul(weight, group2));
      total3 = hn::Add(total3, hn::Mul(weight, group3));
    }
  }
  hn::StoreU(total0, d, sums + j);
  if constexpr (kVectors == 4) {
    hn::StoreU(total1, d, sums + j + lanes);
    hn::StoreU(total2, d, sums + j + 2 * lanes);
    hn::StoreU(total3, d, sums + j + 3 * lanes);
  }
}

void add_groups(const double* const* rows, const std::size_t* group_end, const double* weights,
                std::size_t groups, std::size_t stride, double* HWY_RESTRICT sums) {
  const Groups all{rows, group_end, weights, groups};
  const std::size_t lanes = hn::Lanes(Lanes());
  std::size_t j = 0;
  for (; j + 4 * lanes <= stride; j += 4 * lanes) add_columns<4>(all, j, sums);
  for (; j < stride; j += lanes) add_columns<1>(all, j, sums);
}

// above[i] = how many of the `count` values are larger than values[i]. Both arrays reach to the
// next multiple of eight.
void count_above(const float* HWY_RESTRICT values, std::size_t count,
                 std::int32_t* HWY_RESTRICT above) {
  const hn::CappedTag<float, 8> d;
  const hn::RebindToSigned<decltype(d)> d_count;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto mine = hn::LoadU(d, values + i);
    auto larger = hn::Zero(d_count);
    for (std::size_t other = 0; other < count; ++other) {
      const auto is_larger = hn::Gt(hn::Set(d, values[other]), mine);
      // A true lane is -1.
      larger = hn::Sub(larger, hn::BitCast(d_count, hn::VecFromMask(d, is_larger)));
    }
    hn::StoreU(larger, d_count, above + i);
  }
}

}  // namespace ifd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ifd {

HWY_EXPORT(add_groups);
HWY_EXPORT(count_above);

namespace {

// Of floats and of doubles.
constexpr std::size_t kWidestVector = 8;

// Sums of up to `classes` multiples of the result's grid in 0..1 are exact in a double. The steps
// per unit are a power of two, so that multiplying and dividing by it is exact too.
double grid_steps(std::size_t classes) {
  return std::ldexp(1.0, 53 - static_cast<int>(std::bit_width(classes)));
}

double to_grid(double value, double steps) {
  assert(value >= 0 && value <= 1);
  return std::nearbyint(value * steps) / steps;
}

}  // namespace

ClassValues::ClassValues(std::span<const std::span<const double>> values)
    : experts_(values.size()),
      classes_(values.empty() ? 0 : values.front().size()),
      stride_((experts_ + kWidestVector - 1) / kWidestVector * kWidestVector),
      grid_(classes_ * stride_) {
  const double steps = grid_steps(classes_);
  for (std::size_t j = 0; j < experts_; ++j) {
    for (std::size_t k = 0; k < classes_; ++k) {
      grid_[k * stride_ + j] = to_grid(values[j][k], steps);
    }
  }
}

// Orders the classes in order_ by decreasing probability. Few classes are ordered by counting for
// each how many are more probable: quadratic, but without a branch to mispredict.
void ExpectedAccuracy::sort_decreasing(std::span<const float> probabilities) {
  constexpr std::size_t kFew = 32;
  const std::size_t count = order_.size();
  if (count > kFew) {
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
    return;
  }
  std::array<float, kFew> value;
  std::array<std::int32_t, kFew> above;
  std::array<std::uint8_t, kFew> placed;  // how many with as many above them
  std::array<std::size_t, kFew> unordered;
  for (std::size_t i = 0; i < count; ++i) {
    value[i] = probabilities[order_[i]];
    unordered[i] = order_[i];
    placed[i] = 0;
  }
  for (std::size_t i = count; i % kWidestVector != 0; ++i) value[i] = 0;
  HWY_DYNAMIC_DISPATCH(count_above)(value.data(), count, above.data());
  for (std::size_t i = 0; i < count; ++i) {
    const auto rank = static_cast<std::size_t>(above[i]);
    order_[rank + placed[rank]++] = unordered[i];
  }
}

void ExpectedAccuracy::sort_decreasing(std::span<const double> probabilities) {
  std::sort(order_.begin(), order_.end(),
            [&](std::size_t a, std::size_t b) { return probabilities[a] > probabilities[b]; });
}

template <typename Number>
void ExpectedAccuracy::order_and_group(std::span<const Number> probabilities) {
  // Classes with probability zero add exactly nothing.
  order_.resize(probabilities.size());
  std::size_t positive = 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    order_[positive] = k;
    positive += probabilities[k] > 0 ? 1 : 0;
  }
  order_.resize(positive);
  sort_decreasing(probabilities);
  weights_.resize(positive);
  group_end_.resize(positive);
  class_row_.resize(positive);
  groups_ = 0;
  for (std::size_t i = 0; i < positive; ++i) {
    const double weight = probabilities[order_[i]];
    if (i == 0 || weights_[groups_ - 1] != weight) weights_[groups_++] = weight;
    group_end_[groups_ - 1] = i + 1;
  }
}

void ExpectedAccuracy::begin(std::span<const float> probabilities) {
  order_and_group(probabilities);
}
void ExpectedAccuracy::begin(std::span<const double> probabilities) {
  order_and_group(probabilities);
}

void ExpectedAccuracy::add(const ClassValues& values, std::span<double> sums) {
  for (std::size_t i = 0; i < order_.size(); ++i) class_row_[i] = values.row(order_[i]);
  const auto sum_into = [&](double* to) {
    HWY_DYNAMIC_DISPATCH(add_groups)
    (class_row_.data(), group_end_.data(), weights_.data(), groups_, values.stride(), to);
  };
  if (sums.size() == values.stride()) return sum_into(sums.data());
  padded_.resize(values.stride());
  sum_into(padded_.data());
  std::copy_n(padded_.begin(), sums.size(), sums.begin());
}

double expected_value(std::span<const float> probabilities, std::span<const double> values) {
  const std::span<const double> one[] = {values};
  const ClassValues laid_out(one);
  double sum = 0;
  ExpectedAccuracy()(laid_out, probabilities, std::span(&sum, 1));
  return sum;
}

}  // namespace ifd
#endif  // HWY_ONCE
