#include "ifd/policy/roster.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "ifd/data/utf8.h"
#include "ifd/profile/staff_prior.h"

namespace ifd {

Error unknown_expert(std::string_view name, std::span<const std::string> experts) {
  constexpr std::size_t kShown = 12;
  std::vector<std::string> shown;
  for (const std::string& known : experts.first(std::min(kShown, experts.size()))) {
    shown.push_back(excerpt(known));
  }
  return {ErrorKind::kNotFound,
          fmt::format(
              "'{}' is not an expert; expected one of {}{}", excerpt(name), fmt::join(shown, ", "),
              experts.size() > kShown ? fmt::format(", ... ({} in all)", experts.size()) : "")};
}

std::vector<std::string> experts_without_context(const PriorTable& priors,
                                                 std::span<const ExpertContext> contexts) {
  std::unordered_set<std::string_view> with_context;
  for (const ExpertContext& context : contexts) with_context.insert(context.expert);
  std::vector<std::string> without;
  for (const std::string& expert : priors.experts()) {
    if (!with_context.contains(expert)) without.push_back(expert);
  }
  return without;
}

Roster make_roster(std::span<const ExpertContext> contexts, std::size_t classes,
                   const PriorTable& priors, PriorOnly prior_only, UnstatedPriors unstated) {
  require_staff_size(contexts.size(), classes);
  Roster roster;
  for (const ExpertContext& context : contexts) {
    ExpertProfile profile(priors.of(context.expert, classes));
    profile.observe(context);
    roster.names.push_back(context.expert);
    roster.profiles.push_back(std::move(profile));
  }
  if (prior_only == PriorOnly::kJoins) {
    for (const std::string& expert : experts_without_context(priors, contexts)) {
      require_staff_size(roster.size() + 1, classes);
      roster.names.push_back(expert);
      roster.profiles.emplace_back(priors.of(expert, classes));
    }
  }
  if (unstated == UnstatedPriors::kUniform) return roster;
  const auto learned = priors_by_staff(roster.names, roster.profiles, priors);
  for (std::size_t j = 0; j < roster.size(); ++j) {
    roster.profiles[j] = ExpertProfile(learned[j]);
    if (j < contexts.size()) roster.profiles[j].observe(contexts[j]);
  }
  return roster;
}

std::vector<std::vector<BetaPrior>> priors_by_staff(std::span<const std::string> names,
                                                    std::span<const ExpertProfile> profiles,
                                                    const PriorTable& stated) {
  std::vector<std::vector<BetaPrior>> priors = staff_priors(profiles);
  for (std::size_t j = 0; j < priors.size(); ++j) {
    for (std::size_t k = 0; k < priors[j].size(); ++k) {
      priors[j][k] = stated.stated(names[j], k).value_or(priors[j][k]);
    }
  }
  return priors;
}

}  // namespace ifd
