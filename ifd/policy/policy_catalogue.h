// The one place that turns the name of a method, or a policy file, into a policy.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_calibration.h"
#include "ifd/policy/policy_method.h"

namespace ifd {

// Every method that decides. A new one adds a line in policy_catalogue.cc.
std::span<const PolicyMethod> policy_methods();
// The names of those that need no policy file.
std::vector<std::string_view> policy_names();

// A policy file: the path exists or ends in .ifd, and it is not the name of a method.
bool names_policy_file(std::string_view name);

// A policy before it meets a roster: its method with the weights, and the calibration it was
// trained with. A file is read once.
class PolicySource {
 public:
  // `name` is one of policy_names(), or the path of a policy file.
  static PolicySource named(std::string_view name, const PolicySettings& settings);
  static PolicySource from_file(const PolicyFile& file, const PolicySettings& settings);

  const PolicyMethod& method() const { return *method_; }
  const std::string& name() const { return name_; }  // as it was asked for
  // What decides: a name of policy_names(), or the method and a hash of a policy file.
  const std::string& fingerprint() const { return fingerprint_; }
  MarginMeaning margins() const { return prepared_.margins; }
  // What the policy wants done to predictions before it reads them. Whoever scores with it does
  // that: Router and evaluate() do.
  const std::optional<PolicyCalibration>& calibration() const { return calibration_; }

  // Error(kUsage) where the materials lack what the method needs.
  std::unique_ptr<DeferralPolicy> make(const PolicyMaterials& materials) const;
  // Over the rosters of the parts, one behind the other.
  std::shared_ptr<const DeferralPolicy> join(
      std::vector<std::shared_ptr<const DeferralPolicy>> parts) const;

 private:
  PolicySource(const PolicyMethod& method, std::string name, PreparedMethod prepared)
      : method_(&method),
        name_(std::move(name)),
        fingerprint_(name_),
        prepared_(std::move(prepared)) {}

  const PolicyMethod* method_;
  std::string name_;
  std::string fingerprint_;
  PreparedMethod prepared_;
  std::optional<PolicyCalibration> calibration_;
};

// A policy bound to a roster, with the calibration that belongs to it.
struct PolicyInUse {
  std::shared_ptr<const DeferralPolicy> rule;
  std::optional<Calibration> calibration;

  // The predictions as the rule reads them.
  Predictions as_read(const Predictions& predictions) const {
    return calibration ? calibrated(predictions, *calibration) : predictions;
  }
};

// Source and roster in one step, for policies without a calibration of their own: a file that has
// one is refused (Error(kConflict)), because its margins would be wrong without it.
std::unique_ptr<DeferralPolicy> make_policy(std::string_view name,
                                            const PolicyMaterials& materials);
std::unique_ptr<DeferralPolicy> make_policy(const PolicyFile& file,
                                            const PolicyMaterials& materials);

}  // namespace ifd
