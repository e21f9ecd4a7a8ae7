#include "ifd/policy/roster.h"

#include <algorithm>

namespace ifd {

Roster make_roster(std::span<const ExpertContext> contexts, std::size_t classes,
                   const PriorTable& priors) {
  Roster roster;
  for (const ExpertContext& context : contexts) {
    ExpertProfile profile(priors.of(context.expert, classes));
    profile.observe(context);
    roster.names.push_back(context.expert);
    roster.profiles.push_back(std::move(profile));
  }
  for (const std::string& expert : priors.experts()) {
    if (std::find(roster.names.begin(), roster.names.end(), expert) != roster.names.end()) continue;
    roster.names.push_back(expert);
    roster.profiles.emplace_back(priors.of(expert, classes));
  }
  return roster;
}

}  // namespace ifd
