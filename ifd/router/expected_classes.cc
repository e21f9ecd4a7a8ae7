#include "ifd/router/expected_classes.h"

#include <fmt/format.h>

#include "ifd/error.h"

namespace ifd {

void check_classes(const ClassNames& classes, const Predictions& cases, const char* what) {
  if (cases.classes() == classes) return;
  throw bad_input(fmt::format("{}: the classes are {}; expected {}", what,
                              cases.classes().allowed(), classes.allowed()));
}

}  // namespace ifd
