// The identity-free part: from states to margins, with no way to learn which class is which.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ifd/network/mlp.h"
#include "ifd/role/role_state.h"

namespace ifd {

enum class StateSet {
  kPaper,     // RoleState, six numbers
  kExtended,  // ExtendedRoleState, twelve
};
constexpr std::size_t width_of(StateSet set) { return set == StateSet::kPaper ? 6 : 12; }

// What a rule's value stands on.
enum class Head {
  kPlain,     // the value is the expert's score
  kResidual,  // the value moves the expert's score away from log sum_y rho_y mu_y
};

// Memory that a rule needs while it evaluates; grows to what it needs and stays there. One
// per thread.
struct RejectorScratch {
  std::vector<float> numbers;
  std::vector<float> outputs;
  Mlp::Workspace network;
};

// A rule in two steps: the value r(z), which may be costly and depends on the state alone, so that
// experts in the same state share it; and the margin, cheap, which may also depend on the expert's
// expected accuracy. Thread-safe; a state's value depends on no other state in the batch.
class RoleRejector {
 public:
  virtual ~RoleRejector() = default;

  virtual StateSet state_set() const = 0;  // which of the two `evaluate` to call
  virtual Head head() const = 0;           // whether `margin` reads log_expected_accuracy

  // values[i] = r(states[i]); the sizes agree.
  virtual void evaluate(std::span<const RoleState> states, std::span<double> values,
                        RejectorScratch& scratch) const = 0;
  virtual void evaluate(std::span<const ExtendedRoleState> states, std::span<double> values,
                        RejectorScratch& scratch) const = 0;

  // Finite for every finite value.
  virtual double margin(double value, double model_at_top, double log_expected_accuracy) const = 0;
};

}  // namespace ifd
