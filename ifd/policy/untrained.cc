#include "ifd/policy/untrained.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "ifd/error.h"
#include "ifd/policy/cost_policy.h"
#include "ifd/policy/role_policy.h"
#include "ifd/random/keyed_random.h"
#include "ifd/rejector/margin.h"
#include "ifd/rejector/peak_rule.h"
#include "ifd/role/expected_accuracy.h"

namespace ifd {
namespace {

double top_probability(std::span<const float> probabilities) {
  return *std::max_element(probabilities.begin(), probabilities.end());
}

ClassValues means_of(const Roster& roster) {
  std::vector<std::span<const double>> means;
  for (const ExpertProfile& profile : roster.profiles) means.push_back(profile.means());
  return ClassValues(means);
}

class PlugIn final : public DeferralPolicy {
 public:
  PlugIn(const Roster& roster, MarginScale scale) : means_(means_of(roster)), scale_(scale) {}

  std::size_t experts() const override { return means_.experts(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    ExpectedAccuracy expected;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const auto probabilities = predictions.probabilities(row);
      expected.begin(probabilities);
      score_case(expected, top_probability(probabilities),
                 margins.subspan((row - rows.first) * experts(), experts()));
    }
  }

  // `expected` is at the case, whose largest probability is `top`.
  void score_case(ExpectedAccuracy& expected, double top, std::span<double> out) const {
    expected.add(means_, out);
    for (double& value : out) value = margin(value, top, scale_);
  }

 private:
  ClassValues means_;
  MarginScale scale_;
};

// Parts of a roster that take up each case once for all of them.
class JoinedPlugIn final : public DeferralPolicy {
 public:
  explicit JoinedPlugIn(std::vector<std::shared_ptr<const DeferralPolicy>> parts) {
    for (auto& part : parts) {
      experts_ += part->experts();
      parts_.push_back(std::static_pointer_cast<const PlugIn>(std::move(part)));
    }
  }

  std::size_t experts() const override { return experts_; }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    ExpectedAccuracy expected;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const auto probabilities = predictions.probabilities(row);
      const double top = top_probability(probabilities);
      expected.begin(probabilities);
      std::size_t first = (row - rows.first) * experts_;
      for (const auto& part : parts_) {
        part->score_case(expected, top, margins.subspan(first, part->experts()));
        first += part->experts();
      }
    }
  }

 private:
  std::vector<std::shared_ptr<const PlugIn>> parts_;
  std::size_t experts_ = 0;
};

class Confidence final : public DeferralPolicy {
 public:
  Confidence(const Roster& roster, MarginScale scale) : scale_(scale) {
    for (const ExpertProfile& profile : roster.profiles) {
      average_.push_back(profile.average_mean());
    }
  }

  std::size_t experts() const override { return average_.size(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const double top = top_probability(predictions.probabilities(row));
      for (std::size_t j = 0; j < experts(); ++j) {
        margins[(row - rows.first) * experts() + j] = margin(average_[j], top, scale_);
      }
    }
  }

 private:
  std::vector<double> average_;
  MarginScale scale_;
};

class Random final : public DeferralPolicy {
 public:
  Random(const Roster& roster, std::uint64_t seed) : names_(roster.names), seed_(seed) {}

  std::size_t experts() const override { return names_.size(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    const Key key = Key(seed_).with("random policy");
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const Key case_key = key.with(predictions.case_name(row));
      for (std::size_t j = 0; j < experts(); ++j) {
        margins[(row - rows.first) * experts() + j] = case_key.with(names_[j]).uniform();
      }
    }
  }

 private:
  std::vector<std::string> names_;
  std::uint64_t seed_;
};

class Oracle final : public DeferralPolicy {
 public:
  explicit Oracle(const AnswerTable& answers) : answers_(answers) {}

  std::size_t experts() const override { return answers_.experts(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    assert(predictions.has_labels() && predictions.size() == answers_.cases());
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const ClassId truth = predictions.label(row);
      const int model_right = top_class(predictions.probabilities(row)) == truth ? 1 : 0;
      for (std::size_t j = 0; j < experts(); ++j) {
        const int expert_right = answers_.at(case_id(row), expert_id(j)).is(truth) ? 1 : 0;
        margins[(row - rows.first) * experts() + j] = expert_right - model_right;
      }
    }
  }

 private:
  const AnswerTable& answers_;
};

class Ceiling final : public DeferralPolicy {
 public:
  Ceiling(std::vector<float> accuracies, std::size_t experts, MarginScale scale)
      : accuracies_(std::move(accuracies)), experts_(experts), scale_(scale) {}

  std::size_t experts() const override { return experts_; }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    const std::size_t k = predictions.classes().size();
    assert(accuracies_.size() == predictions.size() * experts_ * k);
    std::vector<double> accuracy(k);
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const auto probabilities = predictions.probabilities(row);
      const double top = top_probability(probabilities);
      for (std::size_t j = 0; j < experts_; ++j) {
        std::copy_n(accuracies_.begin() + static_cast<std::ptrdiff_t>((row * experts_ + j) * k), k,
                    accuracy.begin());
        margins[(row - rows.first) * experts_ + j] =
            margin(expected_value(probabilities, accuracy), top, scale_);
      }
    }
  }

 private:
  std::vector<float> accuracies_;
  std::size_t experts_;
  MarginScale scale_;
};

}  // namespace

std::unique_ptr<DeferralPolicy> plug_in_policy(const Roster& roster, MarginScale scale) {
  return std::make_unique<PlugIn>(roster, scale);
}

std::unique_ptr<DeferralPolicy> confidence_policy(const Roster& roster, MarginScale scale) {
  return std::make_unique<Confidence>(roster, scale);
}

std::unique_ptr<DeferralPolicy> random_policy(const Roster& roster, std::uint64_t seed) {
  return std::make_unique<Random>(roster, seed);
}

std::unique_ptr<DeferralPolicy> oracle_policy(const AnswerTable& answers) {
  return std::make_unique<Oracle>(answers);
}

std::unique_ptr<DeferralPolicy> ceiling_policy(std::vector<float> accuracies, std::size_t experts,
                                               MarginScale scale) {
  return std::make_unique<Ceiling>(std::move(accuracies), experts, scale);
}

PolicyMethod plug_in_method() {
  return {.name = "plug-in",
          .description = "expected accuracy by the profile against the model's own confidence",
          .decides_by_costs = true,
          .prepare = [](const PolicyFile*, const PolicySettings& settings) -> PreparedMethod {
            if (settings.costs) {
              return {[costs = settings.costs,
                       answer = settings.answer](const PolicyMaterials& materials) {
                        return answer == AnswerUse::kCombined
                                   ? combined_cost_policy(materials.roster, costs)
                                   : cost_policy(materials.roster, costs);
                      },
                      {},
                      MarginMeaning::kExpectedGain};
            }
            return {[settings](const PolicyMaterials& materials) {
                      return plug_in_policy(materials.roster, settings.scale);
                    },
                    [](std::vector<std::shared_ptr<const DeferralPolicy>> parts) {
                      return std::make_unique<JoinedPlugIn>(std::move(parts));
                    },
                    MarginMeaning::kExpectedGain};
          }};
}

PolicyMethod peak_rule_method() {
  return {.name = "peak-rule",
          .description = "the rule that the paper's loss leads to: the expert at the best class",
          .prepare = [](const PolicyFile*, const PolicySettings& settings) -> PreparedMethod {
            return role_method(std::make_shared<const PeakRule>(settings.scale), settings.ties);
          }};
}

PolicyMethod confidence_method() {
  return {.name = "confidence",
          .description = "the expert who is best on average, where the model is least sure",
          .prepare = [](const PolicyFile*, const PolicySettings& settings) -> PreparedMethod {
            return {[settings](const PolicyMaterials& materials) {
                      return confidence_policy(materials.roster, settings.scale);
                    },
                    {}};
          }};
}

PolicyMethod random_method() {
  return {.name = "random",
          .description = "any expert on any case",
          .prepare = [](const PolicyFile*, const PolicySettings& settings) -> PreparedMethod {
            return {[settings](const PolicyMaterials& materials) {
                      return random_policy(materials.roster, settings.seed);
                    },
                    {}};
          }};
}

PolicyMethod oracle_method() {
  return {.name = "oracle",
          .description = "knows who is right; for evaluation only",
          .needs = {.answers = true},
          .decides_by_costs = true,
          .prepare = [](const PolicyFile*, const PolicySettings& settings) -> PreparedMethod {
            return {[costs = settings.costs](const PolicyMaterials& materials) {
                      if (materials.answers == nullptr) {
                        throw Error(ErrorKind::kUsage,
                                    "policy 'oracle' knows who is right; it can be evaluated but "
                                    "not routed with");
                      }
                      return costs ? cost_oracle_policy(*materials.answers, costs)
                                   : oracle_policy(*materials.answers);
                    },
                    {},
                    MarginMeaning::kExpectedGain};
          }};
}

PolicyMethod ceiling_method() {
  return {.name = "ceiling",
          .description = "knows the experts' true accuracies; for simulations only",
          .needs = {.accuracies = true},
          .prepare = [](const PolicyFile*, const PolicySettings& settings) -> PreparedMethod {
            return {[settings](const PolicyMaterials& materials) {
                      if (materials.accuracies.empty()) {
                        throw Error(ErrorKind::kUsage,
                                    "policy 'ceiling' needs the experts' true accuracies "
                                    "(--accuracies F.npz, as 'ifd experts simulate' writes them)");
                      }
                      return ceiling_policy(
                          {materials.accuracies.begin(), materials.accuracies.end()},
                          materials.roster.size(), settings.scale);
                    },
                    {},
                    MarginMeaning::kExpectedGain};
          }};
}

}  // namespace ifd
