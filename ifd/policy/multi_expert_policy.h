// Multi-Expert L2D, deciding: a linear layer on the case's features with a column for each expert
// it was trained with. It knows no others.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/network/mlp.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/feature_scaling.h"
#include "ifd/policy/policy_file.h"
#include "ifd/policy/policy_method.h"
#include "ifd/rejector/margin_scale.h"

namespace ifd {

inline constexpr std::string_view kMultiExpertMethod = "multi-expert";

// How logits become chances on the scale kProbability.
enum class HeadLink { kSoftmax, kSigmoid };

struct MultiExpertWeights {
  FeatureScaling scaling;
  std::size_t classes = 0;
  std::vector<std::string> experts;  // the columns after the classes
  Mlp::Layer head;                   // to classes + experts logits
  HeadLink link = HeadLink::kSoftmax;
};

// Margin of expert j: g_{K+j} - max_k g_k, or the difference of their chances. The class logits are
// the head's own. Error(kBadInput) where one of `experts` has no column, or the features are of
// another width.
std::unique_ptr<DeferralPolicy> multi_expert_policy(const MultiExpertWeights& weights,
                                                    std::span<const std::string> experts,
                                                    MarginScale scale);

// From a policy file of method multi-expert: metadata "experts" and "classes" are names, "link" is
// "softmax" or "sigmoid"; tensors feature_mean, feature_scale, head.weight, head.bias.
MultiExpertWeights multi_expert_weights(const PolicyFile& file);

PolicyMethod multi_expert_method();

}  // namespace ifd
