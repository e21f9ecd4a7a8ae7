// The identity-free state: numbers read at roles, without a trace of which class filled a role.
//
// This header is all that the identity-free part knows of the world. It must not include a header
// that defines a class id; tests/include_graph_test.cc checks it.
#pragma once

#include <array>

namespace ifd {

// z(x, E) of Eq. z-summary-main: rho, mu and sigma^2 read at k_top(x), the model's top class, and
// at k_best(E), the class the expert seems best at.
struct RoleState {
  double model_at_top;      // rho at k_top
  double model_at_best;     // rho at k_best
  double mean_at_top;       // mu at k_top
  double variance_at_top;   // sigma^2 at k_top
  double mean_at_best;      // mu at k_best
  double variance_at_best;  // sigma^2 at k_best

  std::array<double, 6> numbers() const {
    return {model_at_top,    model_at_best, mean_at_top,
            variance_at_top, mean_at_best,  variance_at_best};
  }
  bool operator==(const RoleState&) const = default;
};

// The six numbers and six symmetric aggregates.
struct ExtendedRoleState {
  RoleState roles;
  double log_expected_accuracy;  // log sum_y rho_y mu_y
  double expected_variance;      // sum_y rho_y sigma^2_y
  double entropy;                // of rho, in nats
  double model_gap;              // rho_(1) - rho_(2)
  double mean_gap;               // mu_(1) - mu_(2)
  double roles_agree;            // 1 if k_top = k_best, else 0

  std::array<double, 12> numbers() const {
    const auto z = roles.numbers();
    return {z[0],
            z[1],
            z[2],
            z[3],
            z[4],
            z[5],
            log_expected_accuracy,
            expected_variance,
            entropy,
            model_gap,
            mean_gap,
            roles_agree};
  }
  bool operator==(const ExtendedRoleState&) const = default;
};

}  // namespace ifd
