#include "ifd/evaluation/credit.h"

#include <fmt/format.h>

#include <cmath>

#include "ifd/error.h"

namespace ifd {

Credit credit_of(double share) {
  if (!(share >= 0 && share <= 1)) {
    throw bad_input(fmt::format("credit: {} is no share of a right answer; expected 0..1", share));
  }
  return Credit(static_cast<std::uint32_t>(std::lround(share * kWholeCredit)));
}

}  // namespace ifd
