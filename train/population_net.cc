#include "train/population_net.h"

#include <cmath>

namespace ifd::train {
namespace {

constexpr std::int64_t kWidth = 128;  // of embeddings and encodings
constexpr std::int64_t kHeads = 8;
constexpr std::size_t kIndependentLayers = 6;
constexpr std::size_t kConditionedLayers = 4;
constexpr std::size_t kRejectorLayers = 4;

torch::nn::Linear projection(std::int64_t from, std::int64_t to) {
  return torch::nn::Linear(torch::nn::LinearOptions(from, to).bias(false));
}

torch::nn::LayerNorm norm(std::int64_t width) {
  return torch::nn::LayerNorm(torch::nn::LayerNormOptions({width}));
}

// LibTorch's own layer norm sums its weight's gradient by thread, so that its rounding depends on
// their number.
torch::Tensor normalised(const torch::Tensor& x, const torch::nn::LayerNorm& norm) {
  const auto centred = x - x.mean(-1, true);
  const auto variance = centred.square().mean(-1, true);
  return centred * (variance + norm->options.eps()).rsqrt() * norm->weight + norm->bias;
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

torch::Tensor AttentionBlockImpl::forward(const torch::Tensor& queries, const torch::Tensor& keys,
                                          const torch::Tensor& values) {
  const auto q = query_(queries);
  const auto scores =
      heads(q).matmul(heads(key_(keys)).transpose(2, 3)) / std::sqrt(static_cast<double>(width_));
  const auto attended = scores.softmax(3).matmul(heads(value_(values)));
  const auto joined =
      attended.transpose(1, 2).reshape({attended.size(0), attended.size(2), width_});
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
      rejector_(register_module(
          "rejector",
          MlpNet(mlp_widths(shape.features + kWidth, kRejectorLayers, shape.rejector_width, 1)))) {
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

torch::Tensor PopulationNetImpl::forward(const torch::Tensor& phi,
                                         const PopulationContext& context) {
  const auto cases = phi.size(0);
  const auto experts = context.answers.size(0);
  const auto points = context.answers.size(1);
  const auto table = torch::cat({embedding_->weight, torch::zeros({1, kWidth}, phi.options())});
  const auto truths = table.index_select(0, context.truths);
  const auto answers =
      table.index_select(0, context.answers.reshape({-1})).view({experts, points, kWidth});
  const auto tokens = torch::cat({context.features.expand({experts, points, shape_.features}),
                                  truths.expand({experts, points, kWidth}), answers},
                                 2);
  auto encoded = encoder_(tokens);
  torch::Tensor psi;  // J x B x width
  if (shape_.encoder == PopulationEncoder::kQueryIndependent) {
    psi = encoded.mean(1, true).expand({experts, cases, kWidth});
  } else {
    encoded = self_attention_(encoded, encoded, encoded);
    psi = cross_attention_(phi.unsqueeze(0), context.features.unsqueeze(0), encoded);
  }
  const auto input = torch::cat({phi.expand({experts, cases, shape_.features}), psi}, 2);
  return rejector_(input).squeeze(2).transpose(0, 1);
}

}  // namespace ifd::train
