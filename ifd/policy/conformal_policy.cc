#include "ifd/policy/conformal_policy.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>

#include "ifd/error.h"
#include "ifd/exact_grid.h"
#include "ifd/policy/policy_calibration.h"
#include "ifd/rejector/margin.h"
#include "ifd/role/expected_accuracy.h"

namespace ifd {
namespace {

// Probabilities of a set are added on this grid, so that no order of classes shows in the sum.
constexpr double kSteps = 0x1p40;

// Between the margins of sets of several classes and of one class: more than margins of either kind
// can differ. On the logit scale the least is finite_log(0), about -744.
double gap_below_sets(MarginScale scale) { return scale == MarginScale::kProbability ? 2 : 1024; }

class Conformal final : public DeferralPolicy {
 public:
  Conformal(const Roster& roster, const ConformalSets& sets, MarginScale scale)
      : means_(laid_out_means(roster)), sets_(sets), scale_(scale) {}

  std::size_t experts() const override { return means_.experts(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    ExpectedAccuracy sum_over_set;
    std::vector<float> member(predictions.classes().size());
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const auto probabilities = predictions.probabilities(row);
      const std::size_t size = sets_.mark(probabilities, member);
      const auto out = margins.subspan((row - rows.first) * experts(), experts());
      sum_over_set(means_, member, out);
      const double model = model_chance(probabilities, member, size);
      const double gap = size > 1 ? 0 : gap_below_sets(scale_);
      for (double& sum : out) {
        sum = margin(sum / static_cast<double>(size), model, scale_) - gap;
      }
    }
  }

 private:
  static ClassValues laid_out_means(const Roster& roster) {
    std::vector<std::span<const double>> means;
    for (const ExpertProfile& profile : roster.profiles) means.push_back(profile.means());
    return ClassValues(means);
  }

  // That the model's class is the truth, if the truth is in the set; in a set of one class the
  // probability as it is, which alone tells such cases apart.
  static double model_chance(std::span<const float> probabilities, std::span<const float> member,
                             std::size_t size) {
    const double top = *std::max_element(probabilities.begin(), probabilities.end());
    if (size == 1) return top;
    double in_set = 0;
    for (std::size_t k = 0; k < probabilities.size(); ++k) {
      if (member[k] > 0) in_set += on_grid(probabilities[k], kSteps);
    }
    return on_grid(top, kSteps) / in_set;
  }

  ClassValues means_;
  ConformalSets sets_;
  MarginScale scale_;
};

Predictions labelled_cases_of(const PolicyMaterials& materials) {
  if (materials.labelled_cases != nullptr) return *materials.labelled_cases;
  if (materials.context_predictions == nullptr) {
    throw Error(ErrorKind::kUsage,
                "policy 'conformal' makes its sets from the classifier's predictions for the "
                "context's cases; give --context-predictions");
  }
  return context_cases(*materials.context_predictions, materials.contexts);
}

ConformalSets sets_of(const PolicyMaterials& materials) {
  const Predictions labelled = labelled_cases_of(materials);
  if (labelled.size() > 0) return ConformalSets(labelled);
  throw bad_input(
      "policy 'conformal' makes its sets from the predictions for the context's cases, and none of "
      "them is there; expected them in --context-predictions");
}

}  // namespace

ConformalSets::ConformalSets(const Predictions& labelled) {
  assert(labelled.size() > 0 && labelled.has_labels());
  std::vector<float> of_truth;
  for (std::size_t i = 0; i < labelled.size(); ++i) {
    of_truth.push_back(labelled.probabilities(i)[index(labelled.label(i))]);
  }
  // In whole numbers: .9 is no double, and the ceiling would go wrong at every tenth n.
  const std::size_t rank = ((of_truth.size() + 1) * kCoveredOfTen + 9) / 10;
  if (rank > of_truth.size()) return;
  const auto at = of_truth.begin() + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(of_truth.begin(), at, of_truth.end(), std::greater<>());
  threshold_ = *at;
}

std::size_t ConformalSets::mark(std::span<const float> probabilities,
                                std::span<float> member) const {
  const float least =
      std::min(threshold_, *std::max_element(probabilities.begin(), probabilities.end()));
  std::size_t size = 0;
  for (std::size_t k = 0; k < probabilities.size(); ++k) {
    const bool in_set = probabilities[k] >= least;
    member[k] = in_set ? 1.0F : 0.0F;
    size += in_set ? 1 : 0;
  }
  return size;
}

std::unique_ptr<DeferralPolicy> conformal_policy(const Roster& roster, const ConformalSets& sets,
                                                 MarginScale scale) {
  return std::make_unique<Conformal>(roster, sets, scale);
}

PolicyMethod conformal_method() {
  return {.name = "conformal",
          .description = "the expert who is best among the classes that the model cannot rule out",
          .needs = {.labelled_cases = true},
          .prepare = [](const PolicyFile*, const PolicySettings& settings) -> PreparedMethod {
            return {[settings](const PolicyMaterials& materials) {
                      return conformal_policy(materials.roster, sets_of(materials), settings.scale);
                    },
                    {}};
          }};
}

}  // namespace ifd
