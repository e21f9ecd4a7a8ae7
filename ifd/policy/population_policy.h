// L2D-Pop, deciding: the expert's context is encoded by a network together with the case's
// features. It learns what classes are called, which is why it is here: to be compared with.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/network/mlp.h"
#include "ifd/policy/deferral_policy.h"
#include "ifd/policy/feature_scaling.h"
#include "ifd/policy/policy_file.h"
#include "ifd/policy/policy_method.h"
#include "ifd/rejector/margin_scale.h"

namespace ifd {

struct LayerNormWeights {
  std::vector<float> gain;
  std::vector<float> bias;
};

// o = LN1(q + attention), out = LN2(o + ReLU(mix o)); 8 heads, scores over sqrt(width).
struct AttentionWeights {
  Mlp::Layer query, key, value;  // without bias
  Mlp::Layer mix;
  LayerNormWeights norm1, norm2;
};

struct PopulationWeights {
  FeatureScaling scaling;
  std::vector<std::string> classes;
  std::vector<float> embedding;     // classes x width: of truths and of answers
  std::vector<Mlp::Layer> encoder;  // of tokens [phi(x); e(truth); e(answer)]
  // Both or neither: the query-conditioned encoder or the query-independent one.
  std::optional<AttentionWeights> self_attention;
  std::optional<AttentionWeights> cross_attention;
  std::vector<Mlp::Layer> rejector;  // of [phi(x); psi] to the deferral logit
};

// One margin over g_k = log rho_k for each context, on the cases' features. An empty context is
// psi = 0. `context_predictions` holds the features of every context's cases, by name.
// Error(kBadInput) where weights do not fit together, a context case is missing, features are of
// another width, or the classes are others than those it was trained on.
std::unique_ptr<DeferralPolicy> population_policy(const PopulationWeights& weights,
                                                  std::span<const ExpertContext> contexts,
                                                  const Predictions& context_predictions,
                                                  MarginScale scale);

// From a policy file of one of the population methods. Metadata "classes" names
// the classes; tensors feature_mean, feature_scale, embedding.weight, encoder.N.weight and .bias,
// self_attention.* and cross_attention.* (query.weight, key.weight, value.weight, mix.weight,
// mix.bias, norm1.weight, ... norm2.bias), rejector.N.weight and .bias.
PopulationWeights population_weights(const PolicyFile& file);

// pop-qi and pop-qc: the query-independent and the query-conditioned encoder, trained on the
// classes as they are named; pop-qi-perm and pop-qc-perm: trained with random coherent
// relabellings.
PolicyMethod population_method(std::string_view name);

}  // namespace ifd
