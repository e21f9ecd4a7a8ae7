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

// Those whom the priors name and who have no context, in the order of the priors.
std::vector<std::string> experts_without_context(const PriorTable& priors,
                                                 std::span<const ExpertContext> contexts);

// Everyone with a context, in that order; then, if they join, those known from their prior alone.
Roster make_roster(std::span<const ExpertContext> contexts, std::size_t classes,
                   const PriorTable& priors = {}, PriorOnly prior_only = PriorOnly::kLeftOut,
                   UnstatedPriors unstated = UnstatedPriors::kUniform);

// The priors of a staff with these answers, by expert and class: as stated, else by the others.
std::vector<std::vector<BetaPrior>> priors_by_staff(std::span<const std::string> names,
                                                    std::span<const ExpertProfile> profiles,
                                                    const PriorTable& stated);

}  // namespace ifd
