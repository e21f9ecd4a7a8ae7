#include "ifd/policy/layer_tensors.h"

#include <fmt/format.h>

#include "ifd/data/json_text.h"
#include "ifd/error.h"

namespace ifd {

Mlp::Layer layer_of(const PolicyFile& file, const std::string& name) {
  const Tensor& weight = file.at(name + ".weight");
  if (weight.shape.size() != 2) {
    throw bad_input(fmt::format("{}: '{}.weight' has {} dimensions; expected 2", file.source, name,
                                weight.shape.size()));
  }
  Mlp::Layer layer{weight.shape[1], weight.shape[0], weight.values, {}};
  if (const Tensor* bias = file.find(name + ".bias")) layer.bias = bias->values;
  return layer;
}

std::vector<Mlp::Layer> layers_of(const PolicyFile& file, const std::string& prefix) {
  std::vector<Mlp::Layer> layers;
  do {
    layers.push_back(layer_of(file, prefix + std::to_string(layers.size())));
  } while (file.find(prefix + std::to_string(layers.size()) + ".weight") != nullptr);
  return layers;
}

std::vector<std::string> names_in_metadata(const PolicyFile& file, const std::string& key) {
  const auto found = file.metadata().find(key);
  if (found) return found->texts();
  throw bad_input(
      fmt::format("{}: metadata '{}' is not there; expected a list of names", file.source, key));
}

}  // namespace ifd
