#include "ifd/decision/label_change.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ifd/decision/label_change.cc"
#include <hwy/foreach_target.h>
// Highway compiles what follows once for every instruction set.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ifd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// In place of 0 or 1, where several classes are the most probable.
constexpr std::uint8_t kTied = 2;

// Calls `each(first)` for vectors that cover all classes; the last one overlaps the one before it.
template <class D, typename Each>
HWY_INLINE void for_vectors(D d, std::size_t classes, Each each) {
  const std::size_t lanes = hn::Lanes(d);
  std::size_t first = 0;
  for (; first + lanes <= classes; first += lanes) each(first);
  if (first < classes) each(classes - lanes);
}

// A bit for every class that is as probable as the most probable one; at most 64 classes, and at
// least a vector's worth.
template <class D>
HWY_INLINE std::uint64_t most_probable(D d, const float* HWY_RESTRICT belief, std::size_t classes) {
  auto most = hn::LoadU(d, belief);
  for_vectors(d, classes,
              [&](std::size_t i) HWY_ATTR { most = hn::Max(most, hn::LoadU(d, belief + i)); });
  most = hn::MaxOfLanes(d, most);
  std::uint64_t bits = 0;
  for_vectors(d, classes, [&](std::size_t i) HWY_ATTR {
    std::uint8_t equal = 0;
    hn::StoreMaskBits(d, hn::Eq(hn::LoadU(d, belief + i), most), &equal);
    bits |= std::uint64_t{equal} << i;
  });
  return bits;
}

// The class that alone is the most probable one, and what others must exceed to overtake it.
struct Top {
  double belief;
  double missed;  // by their product with the chance of being named
  double third;   // by that with the chance of being missed
};

// Whether another class can overtake the top. Multiplications are those of the plain loop, so that
// every instruction set says the same.
template <class D>
HWY_INLINE bool overtaken(D d, const float* HWY_RESTRICT belief, const AskedExpert& asked,
                          std::size_t classes, const Top& top, double share) {
  const hn::Rebind<float, D> d_float;
  const auto most = hn::Set(d, top.belief);
  const auto named_limit = hn::Set(d, top.missed);
  auto found = hn::Lt(most, most);
  if (asked.beats_chance) {
    for_vectors(d, classes, [&](std::size_t i) HWY_ATTR {
      const auto own = hn::PromoteTo(d, hn::LoadU(d_float, belief + i));
      const auto named = hn::Gt(hn::Mul(own, hn::LoadU(d, asked.means + i)), named_limit);
      found = hn::Or(found, hn::And(hn::Lt(own, most), named));
    });
    return !hn::AllFalse(d, found);
  }
  const auto missed_limit = hn::Set(d, top.third);
  const auto one = hn::Set(d, 1.0);
  const auto shares = hn::Set(d, share);
  for_vectors(d, classes, [&](std::size_t i) HWY_ATTR {
    const auto own = hn::PromoteTo(d, hn::LoadU(d_float, belief + i));
    const auto mean = hn::LoadU(d, asked.means + i);
    const auto named = hn::Gt(hn::Mul(own, mean), named_limit);
    const auto missed = hn::Gt(hn::Mul(own, hn::Mul(hn::Sub(one, mean), shares)), missed_limit);
    found = hn::Or(found, hn::And(hn::Lt(own, most), hn::Or(named, missed)));
  });
  return !hn::AllFalse(d, found);
}

// 0, 1 or kTied.
HWY_INLINE std::uint8_t label_change(const float* HWY_RESTRICT belief, const AskedExpert& asked,
                                     std::size_t classes, double share) {
  const hn::CappedTag<float, 8> wide_floats;
  const hn::CappedTag<double, 8> wide;
  const bool is_wide = classes >= hn::Lanes(wide_floats);
  const std::uint64_t tops = is_wide ? most_probable(wide_floats, belief, classes)
                                     : most_probable(hn::CappedTag<float, 4>(), belief, classes);
  if ((tops & (tops - 1)) != 0) return kTied;
  const auto index = static_cast<std::size_t>(std::countr_zero(tops));
  const double own = belief[index], mean = asked.means[index];
  const double named = own * mean, missed = own * ((1 - mean) * share);
  const Top top{own, missed, named < missed ? named : missed};
  return is_wide ? overtaken(wide, belief, asked, classes, top, share)
                 : overtaken(hn::CappedTag<double, 4>(), belief, asked, classes, top, share);
}

// How many are kTied.
std::size_t label_changes(const float* HWY_RESTRICT beliefs, std::size_t classes,
                          const AskedExpert* HWY_RESTRICT asked, std::size_t cases,
                          std::uint8_t* HWY_RESTRICT can) {
  const double share = 1 / static_cast<double>(classes - 1);
  std::size_t tied = 0;
  for (std::size_t i = 0; i < cases; ++i) {
    can[i] = label_change(beliefs + i * classes, asked[i], classes, share);
    tied += can[i] / kTied;
  }
  return tied;
}

}  // namespace ifd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ifd {

HWY_EXPORT(label_changes);

bool can_change_label(std::span<const float> belief, std::span<const double> means) {
  const std::size_t classes = belief.size();
  assert(means.size() == classes);
  if (classes < 2) return false;
  const double share = 1 / static_cast<double>(classes - 1);
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

AskedExpert::AskedExpert(std::span<const double> of) : means(of.data()), beats_chance(true) {
  if (of.size() < 2) return;
  const double share = 1 / static_cast<double>(of.size() - 1);
  for (const double mean : of) beats_chance = beats_chance && mean >= (1 - mean) * share;
}

void can_change_labels(std::span<const float> beliefs, std::span<const AskedExpert> asked,
                       std::span<std::uint8_t> can) {
  using HWY_NAMESPACE::kTied;
  constexpr std::size_t kFewest = 4, kMost = 64;  // classes that the vectors are for
  const std::size_t cases = asked.size();
  assert(can.size() == cases);
  if (cases == 0) return;
  const std::size_t classes = beliefs.size() / cases;
  std::size_t tied = cases;
  if (classes >= kFewest && classes <= kMost) {
    tied = HWY_DYNAMIC_DISPATCH(label_changes)(beliefs.data(), classes, asked.data(), cases,
                                               can.data());
  } else {
    std::fill(can.begin(), can.end(), kTied);
  }
  for (std::size_t i = 0; i < cases && tied > 0; ++i) {
    if (can[i] != kTied) continue;
    can[i] = can_change_label(beliefs.subspan(i * classes, classes), {asked[i].means, classes});
    --tied;
  }
}

}  // namespace ifd
#endif  // HWY_ONCE
