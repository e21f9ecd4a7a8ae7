#include "ifd/router/decision_scope.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "ifd/fnv_hash.h"

namespace ifd {
namespace {

// Places in the order of the names.
std::vector<std::size_t> order_of(std::span<const std::string> names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return names[a] < names[b]; });
  return order;
}

void add_number(FnvHash& hash, double number) { hash.add(std::bit_cast<std::uint64_t>(number)); }

std::string hash_of_profiles(const RosterSnapshot& roster, std::span<const std::size_t> experts,
                             std::span<const std::size_t> classes) {
  FnvHash hash;
  for (const std::size_t expert : experts) {
    const ExpertProfile& profile = roster.profile(expert_id(expert));
    hash.add((*roster.names)[expert]);
    for (const std::size_t k : classes) {
      const BetaPosterior& posterior = profile.at(class_id(k));
      add_number(hash, posterior.alpha());
      add_number(hash, posterior.beta());
    }
  }
  return hash.hex();
}

std::string hash_of_settings(const RosterSnapshot& roster, const ClassNames& names,
                             std::span<const std::size_t> classes, const RouterOptions& options) {
  FnvHash hash;
  for (const std::size_t k : classes) hash.add(names.name(class_id(k)));
  hash.add(static_cast<std::uint64_t>(options.scale));
  hash.add(static_cast<std::uint64_t>(options.ties));
  hash.add(static_cast<std::uint64_t>(options.precision));
  hash.add(options.seed);
  hash.add(static_cast<std::uint64_t>(options.answer));
  if (options.costs) {
    for (const std::size_t truth : classes) {
      for (const std::size_t label : classes) {
        add_number(hash, options.costs->at(class_id(truth), class_id(label)));
      }
    }
    for (const auto& [expert, fee] : options.costs->fees()) {
      hash.add(expert);
      add_number(hash, fee);
    }
  }
  if (const auto& used = roster.calibration()) {
    add_number(hash, used->calibration.scale);
    if (!used->calibration.bias.empty()) {
      for (const std::size_t k : classes) add_number(hash, used->calibration.bias[k]);
    }
  }
  return hash.hex();
}

}  // namespace

DecisionScope decision_scope(const RosterSnapshot& roster, const ClassNames& classes,
                             const PolicySource& source, const RouterOptions& options) {
  const std::vector<std::size_t> experts = order_of(*roster.names);
  const std::vector<std::size_t> class_order = order_of(classes.names());
  DecisionScope scope;
  for (const std::size_t expert : experts) {
    scope.roster.push_back({(*roster.names)[expert], roster.on_duty.is_on_duty(expert_id(expert))});
  }
  scope.policy = source.fingerprint();
  scope.settings = hash_of_settings(roster, classes, class_order, options);
  scope.profiles = hash_of_profiles(roster, experts, class_order);
  return scope;
}

}  // namespace ifd
