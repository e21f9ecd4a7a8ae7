#include "ifd/experts/accuracy_curve.h"

#include <fmt/format.h>

#include <cmath>

#include "ifd/error.h"

namespace ifd {
namespace {

double logit(double accuracy) {
  if (!(accuracy > 0 && accuracy < 1)) {
    throw bad_input(
        fmt::format("{} is not a target accuracy; expected more than 0 and less than 1", accuracy));
  }
  return std::log(accuracy) - std::log1p(-accuracy);
}

}  // namespace

double AccuracyCurve::at(double prototypicality) const {
  return 1 / (1 + std::exp(-(alpha * prototypicality + beta)));
}

AccuracyCurve AccuracyCurve::from_targets(double acc_easy, double acc_hard) {
  const double beta = logit(acc_hard);
  return {logit(acc_easy) - beta, beta};
}

}  // namespace ifd
