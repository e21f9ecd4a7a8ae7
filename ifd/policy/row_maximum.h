// The largest margin of a case, and who has it: asked once for every case, so in vectors.
#pragma once

#include <cstddef>
#include <span>

namespace ifd {

struct RowMaximum {
  double value;
  std::size_t first;  // where it stands first
  bool alone;         // nowhere else
};

// Of at least one value, none of them NaN.
RowMaximum row_maximum(std::span<const double> values);

}  // namespace ifd
