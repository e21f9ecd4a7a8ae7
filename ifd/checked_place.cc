#include "ifd/checked_place.h"

#include <fmt/format.h>

#include "ifd/error.h"

namespace ifd {

void refuse_place(const char* what, std::size_t place, std::size_t size) {
  // What was negative has wrapped around.
  throw Error(ErrorKind::kNotFound,
              fmt::format("{} {}; expected {}", what, static_cast<std::ptrdiff_t>(place),
                          size == 0 ? "that there is one" : fmt::format("0..{}", size - 1)));
}

}  // namespace ifd
