#include "ifd/random/keyed_random.h"

#include <cmath>
#include <numbers>

namespace ifd {

double Key::normal(std::uint64_t draw) const {
  const Key stream = with("normal");
  const double radius = std::sqrt(-2.0 * std::log1p(-stream.uniform(2 * draw)));
  return radius * std::cos(2.0 * std::numbers::pi * stream.uniform(2 * draw + 1));
}

}  // namespace ifd
