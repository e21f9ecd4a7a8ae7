// What is done with a policy file that was read.
#pragma once

#include "fuzz/one_way.h"
#include "ifd/policy/policy_file.h"

namespace ifd::fuzz {

// Makes the policy of whatever method is in the file, as it was trained (with its calibration) and
// decides two cases, on the scale of margins and with the precision that are drawn. Error where the
// file does not hold such a policy.
void use_policy(const PolicyFile& file, Draws& draws);

}  // namespace ifd::fuzz
