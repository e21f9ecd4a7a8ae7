#include "ifd/policy/multi_expert_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ifd/data/json_text.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "ifd/policy/layer_tensors.h"

namespace ifd {
namespace {

// The weights with the places of the experts they know; shared by all that are made from one file.
struct KnownExperts {
  explicit KnownExperts(MultiExpertWeights of_file) : weights(std::move(of_file)) {
    for (std::size_t j = 0; j < weights.experts.size(); ++j)
      place_of.emplace(weights.experts[j], j);
  }
  KnownExperts(const KnownExperts&) = delete;

  const MultiExpertWeights weights;
  std::unordered_map<std::string_view, std::size_t> place_of;
};

class MultiExpert final : public DeferralPolicy {
 public:
  MultiExpert(std::shared_ptr<const KnownExperts> known, std::span<const std::string> experts,
              MarginScale scale)
      : known_(std::move(known)), weights_(known_->weights), scale_(scale) {
    const Mlp::Layer& head = weights_.head;
    if (head.in != weights_.scaling.width() || weights_.classes == 0 ||
        head.out != weights_.classes + weights_.experts.size() ||
        head.weights.size() != head.in * head.out || head.bias.size() != head.out ||
        weights_.scaling.scale.size() != head.in) {
      throw bad_input("the policy's head does not fit its classes, experts and features");
    }
    for (const std::string& name : experts) {
      const auto found = known_->place_of.find(name);
      if (found == known_->place_of.end()) {
        throw bad_input(
            fmt::format("expert '{}' is not one this policy was trained with; it knows only {}",
                        excerpt(name), list_of_names(weights_.experts)));
      }
      column_.push_back(weights_.classes + found->second);
    }
  }

  std::size_t experts() const override { return column_.size(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    if (predictions.feature_width() != weights_.head.in) {
      throw bad_input(fmt::format("the predictions have {} features; this policy needs {}",
                                  predictions.feature_width(), weights_.head.in));
    }
    const Mlp::Layer& head = weights_.head;
    std::vector<float> phi(head.in);
    std::vector<double> logits(head.out);
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      weights_.scaling.apply(predictions.features(row), phi);
      for (std::size_t o = 0; o < head.out; ++o) {
        double sum = head.bias[o];
        for (std::size_t i = 0; i < head.in; ++i) {
          sum += static_cast<double>(head.weights[o * head.in + i]) * phi[i];
        }
        logits[o] = sum;
      }
      if (scale_ == MarginScale::kProbability) to_chances(logits);
      const double top = *std::max_element(
          logits.begin(), logits.begin() + static_cast<std::ptrdiff_t>(weights_.classes));
      for (std::size_t j = 0; j < column_.size(); ++j) {
        margins[(row - rows.first) * experts() + j] = logits[column_[j]] - top;
      }
    }
  }

 private:
  void to_chances(std::vector<double>& logits) const {
    if (weights_.link == HeadLink::kSigmoid) {
      for (double& g : logits) g = 1 / (1 + std::exp(-g));
      return;
    }
    const double top = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (double& g : logits) sum += g = std::exp(g - top);
    for (double& g : logits) g /= sum;
  }

  std::shared_ptr<const KnownExperts> known_;
  const MultiExpertWeights& weights_;
  MarginScale scale_;
  std::vector<std::size_t> column_;
};

}  // namespace

MultiExpertWeights multi_expert_weights(const PolicyFile& file) {
  MultiExpertWeights weights;
  weights.scaling = {file.at("feature_mean").values, file.at("feature_scale").values};
  weights.classes = names_in_metadata(file, "classes").size();
  weights.experts = names_in_metadata(file, "experts");
  weights.head = layer_of(file, "head");
  const auto link = file.metadata().find("link");
  if (link && link->text() == "sigmoid") {
    weights.link = HeadLink::kSigmoid;
  } else if (link && link->text() != "softmax") {
    throw bad_input(
        fmt::format("{}: metadata 'link' is not known; expected softmax or sigmoid", file.source));
  }
  return weights;
}

std::unique_ptr<DeferralPolicy> multi_expert_policy(const MultiExpertWeights& weights,
                                                    std::span<const std::string> experts,
                                                    MarginScale scale) {
  return std::make_unique<MultiExpert>(std::make_shared<const KnownExperts>(weights), experts,
                                       scale);
}

PolicyMethod multi_expert_method() {
  return {.name = kMultiExpertMethod,
          .description = "a column for each expert it was trained with, on the case's features",
          .needs = {.policy_file = true, .known_experts = true},
          .prepare = [](const PolicyFile* file, const PolicySettings& settings) -> PreparedMethod {
            const auto known = std::make_shared<const KnownExperts>(multi_expert_weights(*file));
            return {[known, settings](const PolicyMaterials& materials) {
                      return std::make_unique<MultiExpert>(known, materials.roster.names,
                                                           settings.scale);
                    },
                    {}};
          }};
}

}  // namespace ifd
