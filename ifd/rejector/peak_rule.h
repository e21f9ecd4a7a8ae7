// The rule that the paper's loss leads to when contexts grow (Eq. ifd-rule), with posterior means
// in the place of true accuracies.
#pragma once

#include "ifd/rejector/margin_scale.h"
#include "ifd/rejector/role_rejector.h"

namespace ifd {

// rho_best * mu_best against rho_top: the expert is credited with the best class alone.
class PeakRule final : public RoleRejector {
 public:
  explicit PeakRule(MarginScale scale) : scale_(scale) {}

  StateSet state_set() const override { return StateSet::kPaper; }
  Head head() const override { return Head::kPlain; }
  void evaluate(std::span<const RoleState> states, std::span<double> values,
                RejectorScratch& scratch) const override;
  void evaluate(std::span<const ExtendedRoleState> states, std::span<double> values,
                RejectorScratch& scratch) const override;
  double margin(double value, double model_at_top, double log_expected_accuracy) const override;

 private:
  MarginScale scale_;
};

}  // namespace ifd
