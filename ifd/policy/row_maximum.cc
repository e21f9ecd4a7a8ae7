#include "ifd/policy/row_maximum.h"

#include <cassert>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ifd/policy/row_maximum.cc"
#include <hwy/foreach_target.h>
// Highway compiles what follows once for every instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ifd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes = hn::CappedTag<double, 8>;

// The largest of at least a vector's worth of values. The last vector overlaps the one before it.
HWY_INLINE double largest(const double* HWY_RESTRICT values, std::size_t count) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  auto most0 = hn::LoadU(d, values);
  auto most1 = hn::LoadU(d, values + count - lanes);
  std::size_t i = lanes;
  for (; i + 2 * lanes <= count; i += 2 * lanes) {
    most0 = hn::Max(most0, hn::LoadU(d, values + i));
    most1 = hn::Max(most1, hn::LoadU(d, values + i + lanes));
  }
  if (i + lanes <= count) most0 = hn::Max(most0, hn::LoadU(d, values + i));
  return hn::GetLane(hn::MaxOfLanes(d, hn::Max(most0, most1)));
}

void find_maximum(const double* HWY_RESTRICT values, std::size_t count,
                  RowMaximum* HWY_RESTRICT found) {
  const Lanes d;
  const std::size_t lanes = hn::Lanes(d);
  double value = values[0];
  if (count >= lanes) {
    value = largest(values, count);
  } else {
    for (std::size_t i = 1; i < count; ++i) value = values[i] > value ? values[i] : value;
  }
  const auto wanted = hn::Set(d, value);
  std::size_t times = 0;
  std::size_t first = count;
  std::size_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    const auto equal = hn::Eq(hn::LoadU(d, values + i), wanted);
    if (hn::AllFalse(d, equal)) continue;
    if (times == 0) first = i + static_cast<std::size_t>(hn::FindFirstTrue(d, equal));
    times += hn::CountTrue(d, equal);
  }
  for (; i < count; ++i) {
    if (values[i] != value) continue;
    if (times++ == 0) first = i;
  }
  *found = {value, first, times == 1};
}

}  // namespace ifd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ifd {

HWY_EXPORT(find_maximum);

RowMaximum row_maximum(std::span<const double> values) {
  assert(!values.empty());
  RowMaximum found;
  HWY_DYNAMIC_DISPATCH(find_maximum)(values.data(), values.size(), &found);
  return found;
}

}  // namespace ifd
#endif  // HWY_ONCE
