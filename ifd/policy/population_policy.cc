#include "ifd/policy/population_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "ifd/error.h"
#include "ifd/policy/layer_tensors.h"

namespace ifd {
namespace {

constexpr std::size_t kHeads = 8;
constexpr float kNormEpsilon = 1e-5F;

void check(bool fits, const char* what) {
  if (!fits) throw bad_input(fmt::format("the policy's {} does not fit its other tensors", what));
}

void check_layer(const Mlp::Layer& layer, std::size_t in, std::size_t out, bool biased,
                 const char* what) {
  check(layer.in == in && layer.out == out && layer.weights.size() == in * out &&
            layer.bias.size() == (biased ? out : 0),
        what);
}

// Rows of equal width.
struct Rows {
  std::size_t width = 0;
  std::vector<float> values;
  std::size_t count() const { return width == 0 ? 0 : values.size() / width; }
  const float* row(std::size_t i) const { return values.data() + i * width; }
};

Rows transposed(const Rows& rows) {
  Rows out{rows.count(), std::vector<float>(rows.values.size())};
  for (std::size_t i = 0; i < rows.count(); ++i) {
    for (std::size_t k = 0; k < rows.width; ++k) out.values[k * out.width + i] = rows.row(i)[k];
  }
  return out;
}

// to += factor * from. Inner loops are all of this form: the compiler has many sums to work on at
// once and each keeps its order.
void add_scaled(float factor, const float* from, std::size_t count, float* to) {
  for (std::size_t i = 0; i < count; ++i) to[i] += factor * from[i];
}

// A linear layer.
struct Linear {
  Rows columns;  // a row an input
  std::vector<float> bias;

  explicit Linear(const Mlp::Layer& layer)
      : columns(transposed({layer.in, layer.weights})), bias(layer.bias) {
    bias.resize(layer.out);
  }

  std::size_t outputs() const { return bias.size(); }

  void apply(const float* in, float* out) const {
    std::copy(bias.begin(), bias.end(), out);
    for (std::size_t i = 0; i < columns.count(); ++i) {
      add_scaled(in[i], columns.row(i), outputs(), out);
    }
  }

  Rows apply(const Rows& rows) const {
    Rows out{outputs(), std::vector<float>(rows.count() * outputs())};
    for (std::size_t i = 0; i < rows.count(); ++i) {
      apply(rows.row(i), out.values.data() + i * outputs());
    }
    return out;
  }
};

void relu(std::span<float> values) {
  for (float& value : values) value = std::max(value, 0.0F);
}

void normalise(const LayerNormWeights& norm, std::span<float> values) {
  const auto n = static_cast<float>(values.size());
  float mean = 0;
  for (const float value : values) mean += value;
  mean /= n;
  float variance = 0;
  for (const float value : values) variance += (value - mean) * (value - mean);
  const float scale = 1 / std::sqrt(variance / n + kNormEpsilon);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = (values[i] - mean) * scale * norm.gain[i] + norm.bias[i];
  }
}

// What attention reads: a key and a value for every point of a context.
struct Memory {
  Rows keys;  // a row a number, so that all points are compared at once
  Rows values;

  std::size_t points() const { return values.count(); }
};

struct Attention {
  Linear query, key, value, mix;
  LayerNormWeights norm1, norm2;

  explicit Attention(const AttentionWeights& weights)
      : query(weights.query),
        key(weights.key),
        value(weights.value),
        mix(weights.mix),
        norm1(weights.norm1),
        norm2(weights.norm2) {}

  Memory remember(const Rows& key_rows, const Rows& value_rows) const {
    return {transposed(key.apply(key_rows)), value.apply(value_rows)};
  }

  // `at` is a projected query; the block's output replaces it.
  void attend(const Memory& memory, std::span<float> at) const {
    const std::size_t width = at.size();
    const std::size_t head_width = width / kHeads;
    const float scale = 1 / std::sqrt(static_cast<float>(width));
    std::vector<float> scores(memory.points()), attended(width, 0.0F);
    for (std::size_t h = 0; h < kHeads; ++h) {
      const std::size_t first = h * head_width;
      std::fill(scores.begin(), scores.end(), 0.0F);
      for (std::size_t d = first; d < first + head_width; ++d) {
        add_scaled(at[d], memory.keys.row(d), scores.size(), scores.data());
      }
      for (float& score : scores) score *= scale;
      const float top = *std::max_element(scores.begin(), scores.end());
      float sum = 0;
      for (float& score : scores) sum += score = std::exp(score - top);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        add_scaled(scores[i] / sum, memory.values.row(i) + first, head_width,
                   attended.data() + first);
      }
    }
    for (std::size_t d = 0; d < width; ++d) at[d] += attended[d];
    normalise(norm1, at);
    mix.apply(at.data(), attended.data());
    relu(attended);
    for (std::size_t d = 0; d < width; ++d) at[d] += attended[d];
    normalise(norm2, at);
  }
};

void check_block(const AttentionWeights& block, std::size_t queries, std::size_t keys,
                 std::size_t width, const char* what) {
  check_layer(block.query, queries, width, false, what);
  check_layer(block.key, keys, width, false, what);
  check_layer(block.value, width, width, false, what);
  check_layer(block.mix, width, width, true, what);
  for (const LayerNormWeights* norm : {&block.norm1, &block.norm2}) {
    check(norm->gain.size() == width && norm->bias.size() == width, what);
  }
}

class Population final : public DeferralPolicy {
 public:
  Population(const PopulationWeights& weights, std::span<const ExpertContext> contexts,
             const Predictions& context_predictions, MarginScale scale)
      : scaling_(weights.scaling),
        classes_(weights.classes),
        embedding_(weights.embedding),
        scale_(scale),
        rejector_(weights.rejector) {
    check_weights(weights);
    for (const Mlp::Layer& layer : weights.encoder) encoder_.emplace_back(layer);
    if (weights.self_attention) {
      self_attention_.emplace(*weights.self_attention);
      cross_attention_.emplace(*weights.cross_attention);
    }
    check_classes(context_predictions);
    if (context_predictions.feature_width() != scaling_.width()) {
      throw bad_input(fmt::format("the context's predictions have {} features; expected {}",
                                  context_predictions.feature_width(), scaling_.width()));
    }
    std::unordered_map<std::string_view, std::size_t> row_of;
    for (std::size_t i = 0; i < context_predictions.size(); ++i) {
      row_of.emplace(context_predictions.case_name(i), i);
    }
    for (const ExpertContext& context : contexts) {
      encoded_.push_back(encode(context, context_predictions, row_of));
    }
  }

  std::size_t experts() const override { return encoded_.size(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    check_classes(predictions);
    if (predictions.feature_width() != scaling_.width()) {
      throw bad_input(fmt::format("the predictions have {} features; this policy needs {}",
                                  predictions.feature_width(), scaling_.width()));
    }
    const std::size_t features = scaling_.width();
    const std::size_t input = features + width_;
    std::vector<float> inputs(experts() * input), outputs(experts()), query(width_);
    Mlp::Workspace workspace;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const std::span<float> phi(inputs.data(), features);
      scaling_.apply(predictions.features(row), phi);
      if (cross_attention_) cross_attention_->query.apply(phi.data(), query.data());
      for (std::size_t j = 0; j < experts(); ++j) {
        float* const to = inputs.data() + j * input;
        if (j > 0) std::copy(phi.begin(), phi.end(), to);
        const std::span<float> psi(to + features, width_);
        const Encoded& encoded = encoded_[j];
        if (encoded.memory.points() == 0) {
          std::copy(encoded.psi.begin(), encoded.psi.end(), psi.begin());
        } else {
          std::copy(query.begin(), query.end(), psi.begin());
          cross_attention_->attend(encoded.memory, psi);
        }
      }
      rejector_.run(inputs, experts(), outputs, workspace);
      const auto probabilities = predictions.probabilities(row);
      const double top = *std::max_element(probabilities.begin(), probabilities.end());
      for (std::size_t j = 0; j < experts(); ++j) {
        margins[(row - rows.first) * experts() + j] = softmax_margin(outputs[j], top, scale_);
      }
    }
  }

 private:
  // What is known of an expert before the case comes: psi, or what the case will attend to.
  struct Encoded {
    std::vector<float> psi;
    Memory memory;
  };

  void check_weights(const PopulationWeights& weights) {
    check(!weights.encoder.empty() && !weights.classes.empty(), "encoder");
    width_ = weights.embedding.size() / weights.classes.size();
    const std::size_t features = weights.scaling.width();
    check(features > 0 && weights.scaling.scale.size() == features, "feature scaling");
    check(width_ > 0 && weights.embedding.size() == width_ * weights.classes.size(), "embedding");
    std::size_t in = features + 2 * width_;
    for (const Mlp::Layer& layer : weights.encoder) {
      check_layer(layer, in, layer.out, true, "encoder");
      in = layer.out;
    }
    check(in == width_, "encoder");
    check(rejector_.input_width() == features + width_, "rejector");
    check(weights.self_attention.has_value() == weights.cross_attention.has_value(), "attention");
    if (weights.self_attention) {
      check(width_ % kHeads == 0, "attention");
      check_block(*weights.self_attention, width_, width_, width_, "self-attention");
      check_block(*weights.cross_attention, features, features, width_, "cross-attention");
    }
  }

  void check_classes(const Predictions& predictions) const {
    if (predictions.classes().names() != classes_) {
      throw bad_input(fmt::format("the classes are {}; this policy was trained on {}",
                                  predictions.classes().allowed(), fmt::join(classes_, ", ")));
    }
  }

  void append_embedding(Answer answer, std::vector<float>& to) const {
    if (answer.is_outside()) {
      to.insert(to.end(), width_, 0.0F);
      return;
    }
    const auto first =
        embedding_.begin() + static_cast<std::ptrdiff_t>(index(answer.as_class()) * width_);
    to.insert(to.end(), first, first + static_cast<std::ptrdiff_t>(width_));
  }

  Encoded encode(const ExpertContext& context, const Predictions& predictions,
                 const std::unordered_map<std::string_view, std::size_t>& row_of) const {
    const std::size_t features = scaling_.width();
    Rows phis{features, {}}, tokens{features + 2 * width_, {}};
    for (const ContextRow& row : context.rows) {
      const auto found = row_of.find(row.case_name);
      if (found == row_of.end()) {
        throw bad_input(fmt::format(
            "context case '{}' of expert '{}' is not among the context's predictions; expected "
            "its features there",
            row.case_name, context.expert));
      }
      std::vector<float> phi(features);
      scaling_.apply(predictions.features(found->second), phi);
      phis.values.insert(phis.values.end(), phi.begin(), phi.end());
      tokens.values.insert(tokens.values.end(), phi.begin(), phi.end());
      append_embedding(row.truth, tokens.values);
      append_embedding(row.answer, tokens.values);
    }
    Encoded encoded{std::vector<float>(width_, 0.0F), {}};
    const std::size_t points = context.rows.size();
    if (points == 0) return encoded;
    Rows at = std::move(tokens);
    for (std::size_t l = 0; l < encoder_.size(); ++l) {
      at = encoder_[l].apply(at);
      if (l + 1 < encoder_.size()) relu(at.values);
    }
    if (!self_attention_) {
      for (std::size_t i = 0; i < points; ++i) {
        for (std::size_t d = 0; d < width_; ++d) encoded.psi[d] += at.row(i)[d];
      }
      for (float& value : encoded.psi) value /= static_cast<float>(points);
      return encoded;
    }
    Rows mixed = self_attention_->query.apply(at);
    const Memory memory = self_attention_->remember(at, at);
    for (std::size_t i = 0; i < points; ++i) {
      self_attention_->attend(memory, std::span(mixed.values).subspan(i * width_, width_));
    }
    encoded.memory = cross_attention_->remember(phis, mixed);
    return encoded;
  }

  FeatureScaling scaling_;
  std::vector<std::string> classes_;
  std::vector<float> embedding_;  // classes x width_
  MarginScale scale_;
  Mlp rejector_;
  std::vector<Linear> encoder_;
  std::optional<Attention> self_attention_, cross_attention_;
  std::size_t width_ = 0;
  std::vector<Encoded> encoded_;
};

AttentionWeights attention_of(const PolicyFile& file, const std::string& prefix) {
  const auto norm = [&](const char* name) {
    return LayerNormWeights{file.at(prefix + name + ".weight").values,
                            file.at(prefix + name + ".bias").values};
  };
  return {layer_of(file, prefix + "query"),
          layer_of(file, prefix + "key"),
          layer_of(file, prefix + "value"),
          layer_of(file, prefix + "mix"),
          norm("norm1"),
          norm("norm2")};
}

}  // namespace

bool is_population_method(std::string_view method) {
  return std::find(kPopulationMethods.begin(), kPopulationMethods.end(), method) !=
         kPopulationMethods.end();
}

PopulationWeights population_weights(const PolicyFile& file) {
  PopulationWeights weights;
  weights.scaling = {file.at("feature_mean").values, file.at("feature_scale").values};
  weights.classes = names_in_metadata(file, "classes");
  weights.embedding = file.at("embedding.weight").values;
  weights.encoder = layers_of(file, "encoder.");
  weights.rejector = layers_of(file, "rejector.");
  if (file.find("cross_attention.query.weight") != nullptr) {
    weights.self_attention = attention_of(file, "self_attention.");
    weights.cross_attention = attention_of(file, "cross_attention.");
  }
  return weights;
}

std::unique_ptr<DeferralPolicy> population_policy(const PopulationWeights& weights,
                                                  std::span<const ExpertContext> contexts,
                                                  const Predictions& context_predictions,
                                                  MarginScale scale) {
  return std::make_unique<Population>(weights, contexts, context_predictions, scale);
}

}  // namespace ifd
