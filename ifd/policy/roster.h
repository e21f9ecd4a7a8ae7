// The experts a policy may choose from today, with what is known of each.
#pragma once

#include <string>
#include <vector>

#include "ifd/profile/expert_profile.h"

namespace ifd {

struct Roster {
  std::vector<std::string> names;
  std::vector<ExpertProfile> profiles;  // one each, over the same classes

  std::size_t size() const { return names.size(); }
};

}  // namespace ifd
