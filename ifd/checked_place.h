// Places that a caller names, looked at before anything is read there.
#pragma once

#include <cstddef>

namespace ifd {

// Error(kNotFound): "expert 7; expected 0..4".
[[noreturn]] void refuse_place(const char* what, std::size_t place, std::size_t size);

// The place itself, where there is one.
constexpr std::size_t checked_place(const char* what, std::size_t place, std::size_t size) {
  if (place >= size) [[unlikely]] {
    refuse_place(what, place, size);
  }
  return place;
}

}  // namespace ifd
