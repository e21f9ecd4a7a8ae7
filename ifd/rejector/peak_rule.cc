#include "ifd/rejector/peak_rule.h"

#include "ifd/rejector/margin.h"

#include <algorithm>

namespace ifd {
namespace {

double credit(const RoleState& z) { return z.model_at_best * z.mean_at_best; }

}  // namespace

void PeakRule::evaluate(std::span<const RoleState> states, std::span<double> values,
                        RejectorScratch&) const {
  std::transform(states.begin(), states.end(), values.begin(), credit);
}

void PeakRule::evaluate(std::span<const ExtendedRoleState> states, std::span<double> values,
                        RejectorScratch&) const {
  std::transform(states.begin(), states.end(), values.begin(),
                 [](const ExtendedRoleState& z) { return credit(z.roles); });
}

double PeakRule::margin(double value, double model_at_top, double) const {
  return ifd::margin(value, model_at_top, scale_);
}

}  // namespace ifd
