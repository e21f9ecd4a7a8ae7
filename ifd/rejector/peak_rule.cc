#include "ifd/rejector/peak_rule.h"

namespace ifd {

void PeakRule::margins(std::span<const RoleState> states, std::span<double> margins) const {
  for (std::size_t i = 0; i < states.size(); ++i) {
    const RoleState& z = states[i];
    margins[i] = margin(z.model_at_best * z.mean_at_best, z.model_at_top, scale_);
  }
}

}  // namespace ifd
