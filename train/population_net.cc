#include "train/population_net.h"

#include <cmath>
#include <limits>

#include "train/layer_norm.h"

namespace ifd::train {
namespace {

constexpr std::int64_t kWidth = 128;  // of embeddings and encodings
constexpr std::int64_t kHeads = 8;
constexpr std::size_t kIndependentLayers = 6;
constexpr std::size_t kConditionedLayers = 4;
constexpr std::size_t kPopulationLayers = 4;

torch::nn::Linear projection(std::int64_t from, std::int64_t to) {
  return torch::nn::Linear(torch::nn::LinearOptions(from, to).bias(false));
}

torch::nn::LayerNorm norm(std::int64_t width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

torch::Tensor normalised(const torch::Tensor& x, const torch::nn::LayerNorm& norm) {
  return layer_norm(x, norm->weight, norm->bias, norm->options.eps());
}

}  // namespace

AttentionBlockImpl::AttentionBlockImpl(std::int64_t query_width, std::int64_t key_width,
                                       std::int64_t value_width, std::int64_t width)
    : width_(width),
      query_(register_module("query", projection(query_width, width))),
      key_(register_module("key", projection(key_width, width))),
      value_(register_module("value", projection(value_width, width))),
      mix_(register_module("mix", torch::nn::Linear(width, width))),
      norm1_(register_module("norm1", norm(width))),
      norm2_(register_module("norm2", norm(width))) {}

// R x n x width to R x heads x n x (width / heads).
torch::Tensor AttentionBlockImpl::heads(const torch::Tensor& projected) const {
  return projected.view({projected.size(0), projected.size(1), kHeads, width_ / kHeads})
      .transpose(1, 2);
}

torch::Tensor AttentionBlockImpl::attended(const torch::Tensor& weights,
                                           const torch::Tensor& values) const {
  const auto blocks = values.size(0);
  const auto queries = weights.size(2);
  const auto points = values.size(1);
  const auto head_width = width_ / kHeads;
  if (weights.size(0) == blocks || blocks == 1) {
    return weights.matmul(heads(values)).transpose(1, 2).reshape({-1, queries, width_});
  }
  // The same weights for all: their values stand side by side in one product a head.
  const auto side_by_side = values.view({blocks, points, kHeads, head_width})
                                .permute({2, 1, 0, 3})
                                .reshape({kHeads, points, blocks * head_width});
  return weights.squeeze(0)
      .bmm(side_by_side)
      .view({kHeads, queries, blocks, head_width})
      .permute({2, 1, 0, 3})
      .reshape({blocks, queries, width_});
}

torch::Tensor AttentionBlockImpl::forward(const torch::Tensor& queries, const torch::Tensor& keys,
                                          const torch::Tensor& values, const torch::Tensor& given) {
  const auto q = query_(queries);
  auto scores =
      heads(q).matmul(heads(key_(keys)).transpose(2, 3)) / std::sqrt(static_cast<double>(width_));
  if (given.defined()) {
    scores = scores.masked_fill(given.logical_not().unsqueeze(1).unsqueeze(1),
                                -std::numeric_limits<double>::infinity());
  }
  const auto joined = attended(scores.softmax(3), value_(values));
  const auto o = normalised(q + joined, norm1_);
  return normalised(o + mix_(o).relu(), norm2_);
}

PopulationNetImpl::PopulationNetImpl(const PopulationShape& shape)
    : shape_(shape),
      embedding_(register_module("embedding", torch::nn::Embedding(shape.classes, kWidth))),
      encoder_(register_module(
          "encoder", MlpNet(mlp_widths(shape.features + 2 * kWidth,
                                       shape.encoder == PopulationEncoder::kQueryIndependent
                                           ? kIndependentLayers
                                           : kConditionedLayers,
                                       kWidth, kWidth)))),
      rejector_(
          register_module("rejector", MlpNet(mlp_widths(shape.features + kWidth, kPopulationLayers,
                                                        shape.rejector_width, 1)))) {
  if (shape.encoder == PopulationEncoder::kQueryConditioned) {
    self_attention_ =
        register_module("self_attention", AttentionBlock(kWidth, kWidth, kWidth, kWidth));
    cross_attention_ = register_module(
        "cross_attention", AttentionBlock(shape.features, shape.features, kWidth, kWidth));
  }
}

void PopulationNetImpl::initialise_from(const Key& key) {
  initialise(*this, key);
  const torch::NoGradGuard guard;
  rejector_->last()->bias.zero_();
}

torch::Tensor PopulationNetImpl::encode(const PopulationContext& context) {
  const auto experts = context.answers.size(0);
  const auto points = context.answers.size(1);
  // W [phi; e(y); e(m)] by parts: features and truths may be the same for all experts, and a class
  // is embedded once however many points have it.
  const auto first = encoder_->first();
  const auto parts = first->weight.split_with_sizes({shape_.features, kWidth, kWidth}, 1);
  const auto embeddings =
      torch::cat({embedding_->weight, torch::zeros({1, kWidth}, embedding_->weight.options())});
  const auto of_truths = embeddings.mm(parts[1].t()).index_select(0, context.truths.reshape({-1}));
  const auto of_answers =
      embeddings.mm(parts[2].t()).index_select(0, context.answers.reshape({-1}));
  const auto of_points =
      torch::addmm(first->bias, context.features.reshape({-1, shape_.features}), parts[0].t()) +
      of_truths;
  const auto encoded = encoder_->from_first(of_answers.view({experts, points, kWidth}) +
                                            of_points.view({-1, points, kWidth}));
  if (shape_.encoder == PopulationEncoder::kQueryConditioned) {
    return self_attention_(encoded, encoded, encoded, context.given);
  }
  if (!context.given.defined()) return encoded.mean(1, true);
  const auto given = context.given.unsqueeze(2);
  return encoded.masked_fill(given.logical_not(), 0).sum(1, true) / given.sum(1, true);
}

torch::Tensor PopulationNetImpl::decide(const torch::Tensor& phi, const PopulationContext& context,
                                        const torch::Tensor& encoded) {
  const auto psi =  // J x 1 x width, or J x B x width
      shape_.encoder == PopulationEncoder::kQueryIndependent
          ? encoded
          : cross_attention_(
                phi.unsqueeze(0),
                context.features.dim() == 2 ? context.features.unsqueeze(0) : context.features,
                encoded, context.given);
  // W [phi; psi] by parts: phi is the same for all experts.
  const auto first = rejector_->first();
  const auto parts = first->weight.split_with_sizes({shape_.features, kWidth}, 1);
  const auto of_phi = torch::addmm(first->bias, phi, parts[0].t());
  const auto of_psi = psi.reshape({-1, kWidth})
                          .mm(parts[1].t())
                          .view({psi.size(0), psi.size(1), shape_.rejector_width});
  return rejector_->from_first(of_psi + of_phi).squeeze(2).transpose(0, 1);
}

torch::Tensor PopulationNetImpl::forward(const torch::Tensor& phi,
                                         const PopulationContext& context) {
  return decide(phi, context, encode(context));
}

}  // namespace ifd::train
