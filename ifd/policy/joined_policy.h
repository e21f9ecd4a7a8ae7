// Policies over parts of a roster as one policy over all of it.
#pragma once

#include <memory>
#include <vector>

#include "ifd/policy/deferral_policy.h"

namespace ifd {

// The experts of the parts, one part behind the other. A margin depends on its case and expert
// alone, so it is the same whoever else is on the roster.
std::unique_ptr<DeferralPolicy> joined_policy(
    std::vector<std::shared_ptr<const DeferralPolicy>> parts);

}  // namespace ifd
