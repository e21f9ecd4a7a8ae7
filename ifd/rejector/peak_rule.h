// The rule that the paper's loss leads to when contexts grow (Eq. ifd-rule), with posterior means
// in the place of true accuracies.
#pragma once

#include <span>

#include "ifd/rejector/margin_scale.h"
#include "ifd/rejector/role_rejector.h"

namespace ifd {

// rho_best * mu_best against rho_top: the expert is credited with the best class alone.
class PeakRule final : public RoleRejector {
 public:
  explicit PeakRule(MarginScale scale) : scale_(scale) {}
  void margins(std::span<const RoleState> states, std::span<double> margins) const override;

 private:
  MarginScale scale_;
};

}  // namespace ifd
