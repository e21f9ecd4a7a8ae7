// The one door between class-indexed data and the identity-free part.
#pragma once

#include <span>

#include "ifd/profile/expert_profile.h"
#include "ifd/role/role_state.h"

namespace ifd {

// How a role chooses among classes that tie for it.
//
// kByReadings: among equals a role prefers the class whose other readings are better: k_top
// maximises (rho, mu, -sigma^2), k_best maximises (mu, -sigma^2, rho). Classes still tied read the
// same numbers, so the state is exactly invariant to renaming classes.
// kLowestIndex: the textbook argmax. It lets a class name decide, which breaks the invariance about
// as often as ties occur; kept for comparison.
enum class TieRule { kByReadings, kLowestIndex };

RoleState role_state(std::span<const float> probabilities, const ExpertProfile& profile,
                     TieRule ties = TieRule::kByReadings);

// The states of one case for many experts; states.size() == profiles.size().
void role_states(std::span<const float> probabilities, std::span<const ExpertProfile> profiles,
                 std::span<RoleState> states, TieRule ties = TieRule::kByReadings);

ExtendedRoleState extended_role_state(std::span<const float> probabilities,
                                      const ExpertProfile& profile,
                                      TieRule ties = TieRule::kByReadings);

}  // namespace ifd
