// What a policy file holds, as JSON.
#pragma once

#include <cstddef>
#include <string>

#include "ifd/policy/policy_file.h"

namespace ifd {

// Numbers in all tensors together.
std::size_t parameter_count(const PolicyFile& policy);

// Method, hash, metadata, names and shapes of the tensors.
std::string policy_json(const PolicyFile& policy);

}  // namespace ifd
