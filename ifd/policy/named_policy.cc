#include "ifd/policy/named_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>

#include "ifd/error.h"
#include "ifd/policy/multi_expert_policy.h"
#include "ifd/policy/policy_file.h"
#include "ifd/policy/population_policy.h"
#include "ifd/policy/role_policy.h"
#include "ifd/policy/trained_policy.h"
#include "ifd/policy/untrained.h"
#include "ifd/rejector/peak_rule.h"

namespace ifd {
namespace {

constexpr std::array<std::string_view, 6> kNames = {"plug-in", "peak-rule", "confidence",
                                                    "random",  "ceiling",   "oracle"};

// One context for each expert of the roster, empty for who has none.
std::vector<ExpertContext> contexts_of(const PolicyMaterials& materials) {
  std::vector<ExpertContext> ordered;
  for (const std::string& name : materials.roster.names) {
    const auto found =
        std::find_if(materials.contexts.begin(), materials.contexts.end(),
                     [&](const ExpertContext& context) { return context.expert == name; });
    ordered.push_back(found == materials.contexts.end() ? ExpertContext{name, {}} : *found);
  }
  return ordered;
}

Error no_bf16(std::string_view name) {
  return {
      ErrorKind::kUsage,
      fmt::format("policy '{}' is not computed in bf16; expected a trained identity-free policy",
                  name)};
}

}  // namespace

std::span<const std::string_view> policy_names() { return kNames; }

std::unique_ptr<DeferralPolicy> make_policy(const PolicyFile& file,
                                            const PolicyMaterials& materials) {
  if (file.method == kTrainedMethod) {
    return role_policy(materials.roster,
                       make_trained_rejector(file, materials.scale, materials.precision),
                       materials.ties);
  }
  if (materials.precision != Precision::kFloat) throw no_bf16(file.source);
  if (file.method == kMultiExpertMethod) {
    return multi_expert_policy(multi_expert_weights(file), materials.roster.names, materials.scale);
  }
  if (is_population_method(file.method)) {
    if (materials.context_predictions == nullptr) {
      throw Error(ErrorKind::kUsage,
                  fmt::format("{}: method '{}' reads the features of the context's cases; give "
                              "--context-predictions",
                              file.source, file.method));
    }
    return population_policy(population_weights(file), contexts_of(materials),
                             *materials.context_predictions, materials.scale);
  }
  throw bad_input(fmt::format("{}: method '{}' is not known; expected {}, {} or one of {}",
                              file.source, file.method, kTrainedMethod, kMultiExpertMethod,
                              fmt::join(kPopulationMethods, ", ")));
}

bool names_policy_file(std::string_view name) {
  if (std::find(kNames.begin(), kNames.end(), name) != kNames.end()) return false;
  std::error_code unreadable;
  return name.ends_with(".ifd") || std::filesystem::is_regular_file(name, unreadable);
}

std::unique_ptr<DeferralPolicy> make_policy(std::string_view name,
                                            const PolicyMaterials& materials) {
  const Roster& roster = materials.roster;
  if (materials.precision != Precision::kFloat && !names_policy_file(name)) throw no_bf16(name);
  if (name == "plug-in") return plug_in_policy(roster, materials.scale);
  if (name == "peak-rule") {
    return role_policy(roster, std::make_unique<PeakRule>(materials.scale), materials.ties);
  }
  if (name == "confidence") return confidence_policy(roster, materials.scale);
  if (name == "random") return random_policy(roster, materials.seed);
  if (name == "oracle") {
    if (materials.answers == nullptr) {
      throw Error(ErrorKind::kUsage,
                  "policy 'oracle' knows who is right; it can be evaluated but not routed with");
    }
    return oracle_policy(*materials.answers);
  }
  if (name == "ceiling") {
    if (materials.accuracies.empty()) {
      throw Error(ErrorKind::kUsage,
                  "policy 'ceiling' needs the experts' true accuracies (--accuracies F.npz, as "
                  "'ifd experts simulate' writes them)");
    }
    return ceiling_policy({materials.accuracies.begin(), materials.accuracies.end()}, roster.size(),
                          materials.scale);
  }
  if (names_policy_file(name)) return make_policy(PolicyFile::read(name), materials);
  throw Error(ErrorKind::kUsage,
              fmt::format("'{}' is not a policy; expected a policy file or one of {}", name,
                          fmt::join(kNames, ", ")));
}

}  // namespace ifd
