#include "ifd/policy/policy_catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "ifd/error.h"
#include "ifd/network/amx.h"
#include "ifd/policy/conformal_policy.h"
#include "ifd/policy/joined_policy.h"
#include "ifd/policy/multi_expert_policy.h"
#include "ifd/policy/population_policy.h"
#include "ifd/policy/trained_policy.h"
#include "ifd/policy/untrained.h"

namespace ifd {
namespace {

const PolicyMethod kMethods[] = {
    plug_in_method(),
    peak_rule_method(),
    confidence_method(),
    conformal_method(),
    random_method(),
    ceiling_method(),
    oracle_method(),
    trained_method(),
    multi_expert_method(),
    population_method("pop-qi"),
    population_method("pop-qc"),
    population_method("pop-qi-perm"),
    population_method("pop-qc-perm"),
};

const PolicyMethod* find_method(std::string_view name, bool from_file) {
  const auto* found =
      std::find_if(std::begin(kMethods), std::end(kMethods), [&](const PolicyMethod& method) {
        return method.name == name && method.needs.policy_file == from_file;
      });
  return found == std::end(kMethods) ? nullptr : found;
}

std::vector<std::string_view> names_of(bool from_file) {
  std::vector<std::string_view> names;
  for (const PolicyMethod& method : kMethods) {
    if (method.needs.policy_file == from_file) names.push_back(method.name);
  }
  return names;
}

void check_precision(const PolicyMethod& method, Precision precision, std::string_view name) {
  if (precision == Precision::kFloat) return;
  if (!method.computes_in_bf16) {
    throw Error(ErrorKind::kUsage,
                fmt::format("policy '{}' is not computed in bf16; expected a trained identity-free "
                            "policy",
                            name));
  }
  if (precision == Precision::kAmx) require_amx();
}

void check_costs(const PolicyMethod& method, const PolicySettings& settings,
                 std::string_view name) {
  if (!settings.costs) return;
  if (!method.decides_by_costs) {
    throw Error(ErrorKind::kConflict,
                fmt::format("policy '{}' knows no costs, since its margins are not expected costs; "
                            "expected plug-in",
                            name));
  }
  if (settings.scale == MarginScale::kLogit) {
    throw Error(ErrorKind::kConflict,
                "margins on the logit scale know no costs; expected the scale 'probability', which "
                "with costs is their own unit");
  }
}

void refuse_own_calibration(const PolicySource& source) {
  if (!source.calibration()) return;
  throw Error(ErrorKind::kConflict,
              fmt::format("{}: the policy was trained on calibrated predictions; expected it to be "
                          "used through a router, which calibrates them",
                          source.name()));
}

}  // namespace

std::span<const PolicyMethod> policy_methods() { return kMethods; }

std::vector<std::string_view> policy_names() { return names_of(false); }

bool names_policy_file(std::string_view name) {
  if (find_method(name, false) != nullptr) return false;
  std::error_code unreadable;
  const auto status = std::filesystem::status(name, unreadable);
  return name.ends_with(".ifd") || std::filesystem::is_regular_file(status) ||
         std::filesystem::is_fifo(status);
}

PolicySource PolicySource::named(std::string_view name, const PolicySettings& settings) {
  if (names_policy_file(name)) return from_file(PolicyFile::read(name, settings.limits), settings);
  const PolicyMethod* method = find_method(name, false);
  if (method == nullptr) {
    throw Error(ErrorKind::kUsage,
                fmt::format("'{}' is not a policy; expected a policy file or one of {}", name,
                            fmt::join(policy_names(), ", ")));
  }
  check_precision(*method, settings.precision, name);
  check_costs(*method, settings, name);
  return {*method, std::string(name), method->prepare(nullptr, settings)};
}

PolicySource PolicySource::from_file(const PolicyFile& file, const PolicySettings& settings) {
  const PolicyMethod* method = find_method(file.method, true);
  if (method == nullptr) {
    throw bad_input(fmt::format("{}: method '{}' is not known; expected one of {}", file.source,
                                file.method, fmt::join(names_of(true), ", ")));
  }
  check_precision(*method, settings.precision, file.source);
  check_costs(*method, settings, file.source);
  PolicySource source(*method, file.source, method->prepare(&file, settings));
  source.calibration_ = policy_calibration(file);
  source.fingerprint_ = fmt::format("{} {}", file.method, file.content_hash());
  return source;
}

std::unique_ptr<DeferralPolicy> PolicySource::make(const PolicyMaterials& materials) const {
  if (method().needs.context_cases && materials.context_predictions == nullptr) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: method '{}' reads the features of the context's cases; give "
                            "--context-predictions",
                            name_, method().name));
  }
  return prepared_.make(materials);
}

std::shared_ptr<const DeferralPolicy> PolicySource::join(
    std::vector<std::shared_ptr<const DeferralPolicy>> parts) const {
  if (parts.size() == 1) return parts.front();
  return prepared_.join ? prepared_.join(std::move(parts)) : joined_policy(std::move(parts));
}

std::unique_ptr<DeferralPolicy> make_policy(std::string_view name,
                                            const PolicyMaterials& materials) {
  const PolicySource source = PolicySource::named(name, materials.settings());
  refuse_own_calibration(source);
  return source.make(materials);
}

std::unique_ptr<DeferralPolicy> make_policy(const PolicyFile& file,
                                            const PolicyMaterials& materials) {
  const PolicySource source = PolicySource::from_file(file, materials.settings());
  refuse_own_calibration(source);
  return source.make(materials);
}

}  // namespace ifd
