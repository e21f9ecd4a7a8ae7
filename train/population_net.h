// L2D-Pop: a deferral logit from the case's features and an encoding of the expert's context.
#pragma once

#include <torch/nn/modules/embedding.h>
#include <torch/nn/modules/linear.h>
#include <torch/nn/modules/normalization.h>

#include <cstdint>

#include "train/baseline_trainer.h"
#include "train/rejector_net.h"

namespace ifd::train {

struct PopulationShape {
  PopulationEncoder encoder = PopulationEncoder::kQueryIndependent;
  std::int64_t classes = 0;
  std::int64_t features = 0;
  std::int64_t rejector_width = 256;
};

// The context of J experts, on the same n cases or each on cases of their own. An answer outside
// the classes is the number K, whose embedding is zero.
struct PopulationContext {
  torch::Tensor features;    // n x D, or J x n x D
  torch::Tensor truths;      // n, or J x n; int64
  torch::Tensor answers;     // J x n, int64
  torch::Tensor given = {};  // J x n, bool: who has fewer than n; undefined: all. One at least each
};

// o = LN1(q + attention(q, k, v)), out = LN2(o + ReLU(W o)); heads of width / 8, projections
// without bias, scores scaled by 1 / sqrt(width): the whole width, not that of a head.
class AttentionBlockImpl : public torch::nn::Module {
 public:
  AttentionBlockImpl(std::int64_t query_width, std::int64_t key_width, std::int64_t value_width,
                     std::int64_t width);
  // queries R x Q x ., keys and values R' x n x . where R and R' agree or one of them is 1. `given`
  // R' x n (bool): the points that are attended to, one at least in each; undefined: all.
  torch::Tensor forward(const torch::Tensor& queries, const torch::Tensor& keys,
                        const torch::Tensor& values, const torch::Tensor& given = {});

 private:
  torch::Tensor heads(const torch::Tensor& projected) const;
  // weights R x heads x Q x n on values R' x n x width, where R and R' agree or one is 1.
  torch::Tensor attended(const torch::Tensor& weights, const torch::Tensor& values) const;
  std::int64_t width_;
  torch::nn::Linear query_, key_, value_, mix_;
  torch::nn::LayerNorm norm1_, norm2_;
};
TORCH_MODULE(AttentionBlock);

// Tokens [phi(x); e(y); e(m)] with one class embedding for truth and answer. The encoding of the
// context psi and phi(x) enter the rejector: four linear layers, the last bias 0 at the start.
class PopulationNetImpl : public torch::nn::Module {
 public:
  explicit PopulationNetImpl(const PopulationShape& shape);
  void initialise_from(const Key& key);
  // phi B x D to deferral logits B x J.
  torch::Tensor forward(const torch::Tensor& phi, const PopulationContext& context);

  // forward in two steps, for many cases on one context: encode it once, then decide.
  torch::Tensor encode(const PopulationContext& context);
  torch::Tensor decide(const torch::Tensor& phi, const PopulationContext& context,
                       const torch::Tensor& encoded);

 private:
  PopulationShape shape_;
  torch::nn::Embedding embedding_;
  MlpNet encoder_;
  AttentionBlock self_attention_{nullptr};
  AttentionBlock cross_attention_{nullptr};
  MlpNet rejector_;
};
TORCH_MODULE(PopulationNet);

}  // namespace ifd::train
