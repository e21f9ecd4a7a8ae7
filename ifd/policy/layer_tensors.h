// Networks and names as policy files hold them.
#pragma once

#include <string>
#include <vector>

#include "ifd/network/mlp.h"
#include "ifd/policy/policy_file.h"

namespace ifd {

// NAME.weight (out x in) and, where it is there, NAME.bias (out).
Mlp::Layer layer_of(const PolicyFile& file, const std::string& name);
// PREFIX0, PREFIX1, ... as many as there are; at least one.
std::vector<Mlp::Layer> layers_of(const PolicyFile& file, const std::string& prefix);
// A list of text under a key of the metadata.
std::vector<std::string> names_in_metadata(const PolicyFile& file, const std::string& key);

}  // namespace ifd
