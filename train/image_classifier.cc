#include "train/image_classifier.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ifd/error.h"
#include "train/tensor_exchange.h"

namespace ifd::train {
namespace {

constexpr std::string_view kBatchCount = "num_batches_tracked";

std::string shape_text(at::IntArrayRef shape) {
  return fmt::format("({})", fmt::join(shape.begin(), shape.end(), ", "));
}

// Parameters, then buffers.
std::vector<std::pair<std::string, torch::Tensor>> state_of(const torch::nn::Module& module) {
  std::vector<std::pair<std::string, torch::Tensor>> state;
  for (const auto& item : module.named_parameters()) state.emplace_back(item.key(), item.value());
  for (const auto& item : module.named_buffers()) state.emplace_back(item.key(), item.value());
  return state;
}

bool same_shape(const torch::Tensor& tensor, const SafetensorsFile::Entry& entry) {
  return std::equal(tensor.sizes().begin(), tensor.sizes().end(), entry.shape.begin(),
                    entry.shape.end(),
                    [](std::int64_t a, std::size_t b) { return static_cast<std::size_t>(a) == b; });
}

void fill(const torch::Tensor& tensor, const SafetensorsFile& file, const std::string& name) {
  const torch::NoGradGuard guard;
  if (tensor.scalar_type() == torch::kInt64) {
    const auto values = file.integers(name);
    tensor.copy_(torch::tensor(values).view(tensor.sizes()));
  } else {
    tensor.copy_(tensor_of(file.floats(name), tensor.sizes()));
  }
}

// Fills all tensors of the module but those that `leave_out` names.
template <typename LeaveOut>
void fill_state(torch::nn::Module& module, const SafetensorsFile& file, const std::string& prefix,
                const LeaveOut& leave_out) {
  std::size_t taken = 0;
  for (const auto& [name, tensor] : state_of(module)) {
    const std::string full = prefix + name;
    if (!file.contains(full)) {
      if (name.ends_with(kBatchCount) || leave_out(name)) continue;
      throw bad_input(fmt::format("{}: no tensor '{}'; expected it, of shape {}", file.name(), full,
                                  shape_text(tensor.sizes())));
    }
    ++taken;
    if (leave_out(name)) continue;
    const auto entry = file.at(full);
    if (!same_shape(tensor, entry)) {
      throw bad_input(fmt::format("{}: '{}' has shape ({}); expected {}", file.name(), full,
                                  fmt::join(entry.shape, ", "), shape_text(tensor.sizes())));
    }
    fill(tensor, file, full);
  }
  std::size_t there = 0;
  for (const std::string& name : file.names()) {
    if (name.starts_with(prefix)) ++there;
  }
  if (there == taken) return;
  const auto state = state_of(module);
  for (const std::string& name : file.names()) {
    if (!name.starts_with(prefix)) continue;
    const std::string bare = name.substr(prefix.size());
    if (std::none_of(state.begin(), state.end(),
                     [&](const auto& item) { return item.first == bare; })) {
      throw bad_input(
          fmt::format("{}: tensor '{}' has no place in the network", file.name(), name));
    }
  }
}

}  // namespace

void add_state(SafetensorsWriter& writer, const torch::nn::Module& module,
               const std::string& prefix) {
  for (const auto& [name, tensor] : state_of(module)) {
    std::vector<std::size_t> shape;
    for (const auto extent : tensor.sizes()) shape.push_back(static_cast<std::size_t>(extent));
    const auto values = tensor.detach().contiguous();
    const auto count = static_cast<std::size_t>(values.numel());
    if (values.scalar_type() == torch::kInt64) {
      writer.add(prefix + name, shape, std::span(values.data_ptr<std::int64_t>(), count));
    } else {
      writer.add(prefix + name, shape, std::span(values.data_ptr<float>(), count));
    }
  }
}

void load_state(torch::nn::Module& module, const SafetensorsFile& file, const std::string& prefix) {
  fill_state(module, file, prefix, [](const std::string&) { return false; });
}

ImportedHead import_weights(BackboneImpl& backbone, const SafetensorsFile& file) {
  const std::string head = backbone.head_name();
  bool fits = true;
  for (const auto& item : backbone.named_parameters()) {
    if (!item.key().starts_with(head + ".")) continue;
    fits = fits && file.contains(item.key()) && same_shape(item.value(), file.at(item.key()));
  }
  fill_state(backbone, file, "",
             [&](const std::string& name) { return !fits && name.starts_with(head + "."); });
  return fits ? ImportedHead::kTaken : ImportedHead::kLeftOut;
}

BackboneClassifier::BackboneClassifier(ClassifierSpec spec, std::string name)
    : spec_(std::move(spec)), name_(std::move(name)), backbone_(make_backbone(spec_.shape)) {
  use_channels_last(*backbone_);
}

BackboneClassifier BackboneClassifier::from_file(const SafetensorsFile& file) {
  BackboneClassifier classifier(classifier_spec(file), file.name());
  load_state(*classifier.backbone_, file);
  return classifier;
}

BackboneClassifier BackboneClassifier::read(const std::filesystem::path& path,
                                            const ReadLimits& limits) {
  return from_file(SafetensorsFile::read(path, limits));
}

void BackboneClassifier::write(const std::filesystem::path& path,
                               const ClassifierOrigin& origin) const {
  SafetensorsWriter writer;
  set_metadata(writer, spec_);
  writer.set_metadata("seed", std::to_string(origin.seed));
  writer.set_metadata("training_data", origin.training_data);
  writer.set_metadata("validation_accuracy", fmt::format("{}", origin.validation_accuracy));
  writer.set_metadata("best_epoch", std::to_string(origin.best_epoch));
  writer.set_metadata("ifd", origin.version);
  add_state(writer, *backbone_);
  std::move(writer).write(path);
}

void BackboneClassifier::check_inputs(const ClassifierInputs& inputs,
                                      const std::string& place) const {
  if (spec_.height == 0) {
    if (inputs.are_images() || inputs.channels() != spec_.shape.inputs) {
      throw bad_input(fmt::format("{}: {}; {} expects vectors of {} numbers", place,
                                  inputs.are_images()
                                      ? std::string("images")
                                      : fmt::format("vectors of {}", inputs.channels()),
                                  name_, spec_.shape.inputs));
    }
    return;
  }
  const bool fits = inputs.are_images() && inputs.values.size(1) == spec_.height &&
                    inputs.values.size(2) == spec_.width && inputs.channels() == spec_.shape.inputs;
  if (fits) return;
  const std::string found =
      inputs.are_images()
          ? fmt::format("images of {} x {} with {} channel(s)", inputs.values.size(1),
                        inputs.values.size(2), inputs.channels())
          : std::string("vectors");
  throw bad_input(fmt::format("{}: {}; {} expects images of {} x {} with {} channel(s)", place,
                              found, name_, spec_.height, spec_.width, spec_.shape.inputs));
}

ClassifierOutput BackboneClassifier::output(const torch::Tensor& batch) {
  const torch::NoGradGuard guard;
  backbone_->eval();
  const auto features = backbone_->features(batch);
  return {backbone_->logits(features), features};
}

Predictions classify(Classifier& classifier, const ClassifierInputs& inputs,
                     const ClassNames& classes, std::int64_t batch) {
  const torch::NoGradGuard guard;
  Predictions::Parts parts{classes, inputs.cases, {}, {}, {}, 0};
  std::vector<double> logits;
  for (const auto& rows : torch::arange(inputs.size(), torch::kInt64).split(batch)) {
    const ClassifierOutput output =
        classifier.output(batch_of(inputs, classifier.normalisation(), rows));
    const auto wanted = {rows.numel(), static_cast<std::int64_t>(classes.size())};
    if (output.logits.sizes() != at::IntArrayRef(wanted)) {
      throw bad_input(fmt::format("{}: logits of shape {}; expected {}", classifier.name(),
                                  shape_text(output.logits.sizes()), shape_text(wanted)));
    }
    const auto g = output.logits.to(torch::kFloat64).contiguous();
    logits.insert(logits.end(), g.data_ptr<double>(), g.data_ptr<double>() + g.numel());
    if (!output.features.defined()) continue;
    if (output.features.dim() != 2 || output.features.size(0) != rows.numel() ||
        output.features.size(1) == 0) {
      throw bad_input(fmt::format("{}: features of shape {}; expected ({}, D)", classifier.name(),
                                  shape_text(output.features.sizes()), rows.numel()));
    }
    const auto phi = output.features.to(torch::kFloat32).contiguous();
    parts.feature_width = static_cast<std::size_t>(phi.size(1));
    parts.features.insert(parts.features.end(), phi.data_ptr<float>(),
                          phi.data_ptr<float>() + phi.numel());
  }
  const auto locate = [&](std::size_t row) {
    return fmt::format("{}: case '{}'", classifier.name(), inputs.cases[row]);
  };
  parts.probabilities = Predictions::from_logits(logits, classes.size(), locate);
  if (inputs.labels.defined()) {
    for (std::int64_t i = 0; i < inputs.size(); ++i) {
      parts.labels.push_back(
          class_id(static_cast<std::size_t>(inputs.labels.data_ptr<std::int64_t>()[i])));
    }
  }
  return Predictions(std::move(parts), locate);
}

}  // namespace ifd::train
