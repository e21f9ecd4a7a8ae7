// The identity-free part: from states to margins, with no way to learn which class is which.
#pragma once

#include <span>

#include "ifd/role/role_state.h"

namespace ifd {

// A rule r(z). Thread-safe; a state's margin depends on no other state in the batch.
class RoleRejector {
 public:
  virtual ~RoleRejector() = default;
  // margins[i] = the margin of states[i]; the sizes agree.
  virtual void margins(std::span<const RoleState> states, std::span<double> margins) const = 0;
};

}  // namespace ifd
