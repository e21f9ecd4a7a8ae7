#include "fuzz/policy_use.h"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/policy_document.h"

namespace ifd::fuzz {
namespace {

// Two cases of the classes that the seeds know, with as many features as the file asks for.
Predictions cases_for(const PolicyFile& file) {
  const Tensor* mean = file.find("feature_mean");
  const std::size_t width = mean == nullptr ? 0 : std::min<std::size_t>(mean->values.size(), 64);
  return Predictions(Predictions::Parts{ClassNames({"x", "y"}),
                                        {"a", "b"},
                                        {.75F, .25F, .5F, .5F},
                                        {},
                                        std::vector<float>(2 * width, .5F),
                                        width});
}

Calibration calibration_of(const PolicyCalibration& stored, const Predictions& cases,
                           std::span<const ExpertContext> contexts) {
  if (stored.source == CalibrationSource::kValidation) {
    return stored_calibration(stored, cases.classes(), "fuzz");
  }
  return fit_calibration(context_cases(cases, contexts), stored.kind);
}

// What is written is read back as it was, unless it lacks a bias that is fitted anew anyway.
void check_written(const PolicyCalibration& calibration) {
  const std::string written = to_json(calibration);
  if (calibration.kind == CalibrationKind::kBias && calibration.fitted.bias.empty()) return;
  PolicyFile copy;
  copy.metadata_json = "{\"calibration\":" + written + "}";
  const auto again = policy_calibration(copy);
  if (!again || to_json(*again) != written) std::abort();
}

void decide(const PolicyFile& file, PolicyMaterials materials, const Predictions& cases) {
  const auto source = PolicySource::from_file(file, materials.settings());
  auto policy = source.make(materials);
  std::unique_ptr<DeferralPolicy> replaced;
  if (source.method().needs.context_cases) {  // the only ones that take over work
    replaced = std::move(policy);
    materials.previous = replaced.get();
    policy = source.make(materials);
  }
  std::vector<double> margins(2 * policy->experts());
  if (source.calibration()) {
    check_written(*source.calibration());
    const auto fitted = calibration_of(*source.calibration(), cases, materials.contexts);
    policy->score(calibrated(cases, fitted), {0, 2}, margins);
  } else {
    policy->score(cases, {0, 2}, margins);
  }
}

}  // namespace

void use_policy(const PolicyFile& file, Draws& draws) {
  if (draws.once_in(16)) policy_json(file);
  const Predictions cases = cases_for(file);
  std::vector<ExpertContext> contexts = {
      {"ann", {{"a", ClassId{0}, Answer(ClassId{0})}, {"b", ClassId{1}, Answer::outside()}}},
      {"bob", {}}};
  if (draws.once_in(4)) contexts.pop_back();  // a policy of one expert knows no other
  const Roster roster = make_roster(contexts, 2);
  PolicyMaterials materials{roster};
  materials.contexts = contexts;
  materials.context_predictions = &cases;
  if (draws.once_in(2)) materials.scale = MarginScale::kLogit;
  // Only the identity-free rejector computes in bf16.
  if (file.method == "ifd" && draws.once_in(2)) materials.precision = Precision::kBf16;
  decide(file, materials, cases);
}

}  // namespace ifd::fuzz
