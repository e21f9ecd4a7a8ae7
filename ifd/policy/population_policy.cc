#include "ifd/policy/population_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "ifd/data/name_spelling.h"
#include "ifd/error.h"
#include "ifd/policy/layer_tensors.h"
#include "ifd/rejector/margin.h"

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
  Rows columns;  // a row per input
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
  Rows keys;  // a row per number, so that all points are compared at once
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

// What is known of an expert before the case comes: psi, or what the case will attend to.
struct Encoded {
  std::vector<float> psi;
  Memory memory;
};

// The network of a policy file, which knows no expert. Immutable.
class Network {
 public:
  explicit Network(const PopulationWeights& weights)
      : scaling_(weights.scaling),
        classes_(weights.classes),
        embedding_(weights.embedding),
        rejector_(weights.rejector) {
    check_weights(weights);
    for (const Mlp::Layer& layer : weights.encoder) encoder_.emplace_back(layer);
    if (weights.self_attention) {
      self_attention_.emplace(*weights.self_attention);
      cross_attention_.emplace(*weights.cross_attention);
    }
  }

  void check_contexts(const Predictions& predictions) const {
    check_classes(predictions);
    if (predictions.feature_width() != scaling_.width()) {
      throw bad_input(fmt::format("the context's predictions have {} features; expected {}",
                                  predictions.feature_width(), scaling_.width()));
    }
  }

  void check_cases(const Predictions& predictions) const {
    check_classes(predictions);
    if (predictions.feature_width() != scaling_.width()) {
      throw bad_input(fmt::format("the predictions have {} features; this policy needs {}",
                                  predictions.feature_width(), scaling_.width()));
    }
  }

  Encoded encode(const ExpertContext& context, const Predictions& predictions,
                 const CaseIndex& row_of) const {
    Rows phis{scaling_.width(), {}}, tokens{scaling_.width() + 2 * width_, {}};
    for (const ContextRow& row : context.rows) {
      add_token(row, features_of(context.expert, row, predictions, row_of), phis, tokens);
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

  // The deferral logits of one case, one for each expert.
  struct Scratch {
    std::vector<float> inputs, query;
    Mlp::Workspace workspace;
  };
  void logits(std::span<const float> features,
              std::span<const std::shared_ptr<const Encoded>> experts, std::span<float> out,
              Scratch& scratch) const {
    const std::size_t input = scaling_.width() + width_;
    scratch.inputs.resize(experts.size() * input);
    scratch.query.resize(width_);
    const std::span<float> phi(scratch.inputs.data(), scaling_.width());
    scaling_.apply(features, phi);
    if (cross_attention_) cross_attention_->query.apply(phi.data(), scratch.query.data());
    for (std::size_t j = 0; j < experts.size(); ++j) {
      float* const to = scratch.inputs.data() + j * input;
      if (j > 0) std::copy(phi.begin(), phi.end(), to);
      const std::span<float> psi(to + scaling_.width(), width_);
      if (experts[j]->memory.points() == 0) {
        std::copy(experts[j]->psi.begin(), experts[j]->psi.end(), psi.begin());
      } else {
        std::copy(scratch.query.begin(), scratch.query.end(), psi.begin());
        cross_attention_->attend(experts[j]->memory, psi);
      }
    }
    rejector_.run(scratch.inputs, experts.size(), out, scratch.workspace);
  }

 private:
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
                                  predictions.classes().allowed(), list_of_names(classes_)));
    }
  }

  std::vector<float> features_of(const std::string& expert, const ContextRow& row,
                                 const Predictions& predictions, const CaseIndex& row_of) const {
    const auto found = row_of.find(row.case_name);
    if (!found) {
      throw bad_input(fmt::format(
          "context case '{}' of expert '{}' is not among the context's predictions; expected "
          "its features there",
          row.case_name, expert));
    }
    std::vector<float> phi(scaling_.width());
    scaling_.apply(predictions.features(*found), phi);
    return phi;
  }

  void add_token(const ContextRow& row, const std::vector<float>& phi, Rows& phis,
                 Rows& tokens) const {
    phis.values.insert(phis.values.end(), phi.begin(), phi.end());
    tokens.values.insert(tokens.values.end(), phi.begin(), phi.end());
    append_embedding(row.truth, tokens.values);
    append_embedding(row.answer, tokens.values);
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

  FeatureScaling scaling_;
  std::vector<std::string> classes_;
  std::vector<float> embedding_;  // classes x width_
  Mlp rejector_;
  std::vector<Linear> encoder_;
  std::optional<Attention> self_attention_, cross_attention_;
  std::size_t width_ = 0;
};

class Population final : public DeferralPolicy {
 public:
  // `previous` (may be null) lends what it has encoded of the same contexts.
  Population(std::shared_ptr<const Network> network, std::span<const ExpertContext> contexts,
             const Predictions& context_predictions, MarginScale scale, const Population* previous)
      : network_(std::move(network)), scale_(scale) {
    network_->check_contexts(context_predictions);
    std::optional<CaseIndex> row_of;
    for (const ExpertContext& given : contexts) {
      auto context = std::make_shared<const ExpertContext>(in_order_of_cases(given));
      if (const auto known = previous == nullptr ? nullptr : previous->encoded_of(*context)) {
        encoded_.push_back(known);
      } else {
        if (!row_of) row_of.emplace(context_predictions);
        encoded_.push_back(std::make_shared<const Encoded>(
            network_->encode(*context, context_predictions, *row_of)));
      }
      place_of_.emplace(context->expert, contexts_.size());
      contexts_.push_back(std::move(context));
    }
  }

  std::size_t experts() const override { return encoded_.size(); }

  void score(const Predictions& predictions, CaseRange rows,
             std::span<double> margins) const override {
    network_->check_cases(predictions);
    std::vector<float> outputs(experts());
    Network::Scratch scratch;
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      network_->logits(predictions.features(row), encoded_, outputs, scratch);
      const auto probabilities = predictions.probabilities(row);
      const double top = *std::max_element(probabilities.begin(), probabilities.end());
      for (std::size_t j = 0; j < experts(); ++j) {
        margins[(row - rows.first) * experts() + j] = softmax_margin(outputs[j], top, scale_);
      }
    }
  }

 private:
  // Sums of floats depend on their order; in the order of the cases' names they do not depend on
  // the order in which the answers came.
  static ExpertContext in_order_of_cases(ExpertContext context) {
    std::ranges::stable_sort(context.rows, {}, &ContextRow::case_name);
    return context;
  }

  std::shared_ptr<const Encoded> encoded_of(const ExpertContext& context) const {
    const auto found = place_of_.find(context.expert);
    if (found == place_of_.end() || *contexts_[found->second] != context) return nullptr;
    return encoded_[found->second];
  }

  std::shared_ptr<const Network> network_;
  MarginScale scale_;
  std::vector<std::shared_ptr<const ExpertContext>> contexts_;
  std::vector<std::shared_ptr<const Encoded>> encoded_;
  std::unordered_map<std::string_view, std::size_t> place_of_;  // by the names in contexts_
};

// One context for each expert of the roster, empty for who has none.
std::vector<ExpertContext> contexts_of(const PolicyMaterials& materials) {
  std::unordered_map<std::string_view, const ExpertContext*> by_name;
  for (const ExpertContext& context : materials.contexts) by_name.emplace(context.expert, &context);
  std::vector<ExpertContext> ordered;
  for (const std::string& name : materials.roster.names) {
    const auto found = by_name.find(name);
    ordered.push_back(found == by_name.end() ? ExpertContext{name, {}} : *found->second);
  }
  return ordered;
}

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
  return std::make_unique<Population>(std::make_shared<const Network>(weights), contexts,
                                      context_predictions, scale, nullptr);
}

PolicyMethod population_method(std::string_view name) {
  return {.name = name,
          .description = "L2D-Pop: a network that encodes the expert's context with its cases",
          .needs = {.policy_file = true, .context_cases = true},
          .prepare = [](const PolicyFile* file, const PolicySettings& settings) -> PreparedMethod {
            const auto network = std::make_shared<const Network>(population_weights(*file));
            return {[network, settings](const PolicyMaterials& materials) {
                      return std::make_unique<Population>(
                          network, contexts_of(materials), *materials.context_predictions,
                          settings.scale, dynamic_cast<const Population*>(materials.previous));
                    },
                    {}};
          }};
}

}  // namespace ifd
