#include "ifd/rejector/trained_rejector.h"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

#include "ifd/error.h"
#include "ifd/rejector/margin.h"

namespace ifd {
namespace {

// W ((x - shift) / scale) + b as one layer on x.
Mlp::Layer folded(Mlp::Layer layer, const Standardisation& inputs) {
  if (inputs.shift.size() != layer.in || inputs.scale.size() != layer.in) {
    throw bad_input(fmt::format("network: {} shifts and {} scales of inputs; expected {} of each",
                                inputs.shift.size(), inputs.scale.size(), layer.in));
  }
  for (std::size_t i = 0; i < layer.in; ++i) {
    if (!(inputs.scale[i] > 0) || !std::isfinite(inputs.scale[i]) ||
        !std::isfinite(inputs.shift[i])) {
      throw bad_input(
          fmt::format("network: input {} has shift {} and scale {}; expected finite numbers, the "
                      "scale positive",
                      i, inputs.shift[i], inputs.scale[i]));
    }
  }
  for (std::size_t o = 0; o < layer.out; ++o) {
    double bias = layer.bias[o];
    for (std::size_t i = 0; i < layer.in; ++i) {
      float& weight = layer.weights[o * layer.in + i];
      const double on_raw = static_cast<double>(weight) / inputs.scale[i];
      bias -= on_raw * inputs.shift[i];
      weight = static_cast<float>(on_raw);
    }
    layer.bias[o] = static_cast<float>(bias);
  }
  return layer;
}

Mlp network_of(TrainedRejectorParts& parts, Precision precision) {
  if (parts.standardisation) {
    const Mlp valid(parts.layers);  // so that folding may trust the sizes
    parts.layers.front() = folded(std::move(parts.layers.front()), *parts.standardisation);
  }
  Mlp network(parts.layers, precision);
  if (network.input_width() != width_of(parts.state_set)) {
    throw bad_input(fmt::format("network: reads {} numbers; expected {}, those of the state",
                                network.input_width(), width_of(parts.state_set)));
  }
  return network;
}

}  // namespace

TrainedRejector::TrainedRejector(TrainedRejectorParts parts, MarginScale scale, Precision precision)
    : state_set_(parts.state_set),
      head_(parts.head),
      scale_(scale),
      network_(network_of(parts, precision)) {}

template <class State>
void TrainedRejector::evaluate_all(std::span<const State> states, std::span<double> values,
                                   RejectorScratch& scratch) const {
  const std::size_t width = network_.input_width();
  scratch.numbers.resize(states.size() * width);
  scratch.outputs.resize(states.size());
  auto number = scratch.numbers.begin();
  for (const State& state : states) {
    for (const double value : state.numbers()) *number++ = static_cast<float>(value);
  }
  network_.run(scratch.numbers, states.size(), scratch.outputs, scratch.network);
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (!std::isfinite(scratch.outputs[i])) {
      throw bad_input("network: the output is not finite; the weights are too large");
    }
    values[i] = scratch.outputs[i];
  }
}

void TrainedRejector::evaluate(std::span<const RoleState> states, std::span<double> values,
                               RejectorScratch& scratch) const {
  assert(state_set_ == StateSet::kPaper);
  evaluate_all(states, values, scratch);
}

void TrainedRejector::evaluate(std::span<const ExtendedRoleState> states, std::span<double> values,
                               RejectorScratch& scratch) const {
  assert(state_set_ == StateSet::kExtended);
  evaluate_all(states, values, scratch);
}

double TrainedRejector::margin(double value, double model_at_top,
                               double log_expected_accuracy) const {
  const double g = head_ == Head::kPlain ? value : log_expected_accuracy + value;
  return softmax_margin(g, model_at_top, scale_);
}

}  // namespace ifd
