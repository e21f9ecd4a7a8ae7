// The experts a policy may choose from today, with what is known of each.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/expert_context.h"
#include "ifd/error.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/profile/prior_table.h"

namespace ifd {

struct Roster {
  std::vector<std::string> names;
  std::vector<ExpertProfile> profiles;  // one each, over the same classes

  std::size_t size() const { return names.size(); }
};

// "'x' is not an expert; expected one of ann, bob": Error(kNotFound).
Error unknown_expert(std::string_view name, std::span<const std::string> experts);

// Everyone with a context, in that order, then those known only from their prior.
Roster make_roster(std::span<const ExpertContext> contexts, std::size_t classes,
                   const PriorTable& priors = {});

}  // namespace ifd
