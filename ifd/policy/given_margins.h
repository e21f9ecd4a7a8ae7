// Margins that somebody else has computed, as a policy.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "ifd/policy/deferral_policy.h"

namespace ifd {

// margins is N x J, row by row, for the cases that will be scored. Error(kBadInput) where a number
// is not finite or their count is not a multiple of `experts`; scoring other cases is an Error too.
std::unique_ptr<DeferralPolicy> given_margins(std::vector<double> margins, std::size_t experts);

}  // namespace ifd
