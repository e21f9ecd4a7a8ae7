#include "train/image_classifier.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <nlohmann/json.hpp>

#include "ifd/data/json_text.h"
#include "ifd/error.h"
#include "train/tensor_exchange.h"

namespace ifd::train {
namespace {

constexpr std::string_view kFormat = "ifd-classifier";
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

void fill(torch::Tensor tensor, const SafetensorsFile& file, const std::string& name) {
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

// Reads metadata of a classifier file; what is not there or not right is refused.
class MetadataReader {
 public:
  explicit MetadataReader(const SafetensorsFile& file) : file_(file) {}

  const std::string& text(std::string_view key) const {
    const auto found = file_.metadata().find(key);
    if (found == file_.metadata().end()) {
      refuse(fmt::format("no '{}' in the metadata; expected a classifier made by ifd", key));
    }
    return found->second;
  }
  std::int64_t number(std::string_view key) const {
    const std::string& found = text(key);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
    if (error != std::errc() || end != found.data() + found.size() || value < 0 ||
        value > kMostNumber) {
      refuse(fmt::format("'{}' is '{}'; expected 0..{}", key, found, kMostNumber));
    }
    return value;
  }
  template <typename Value>
  Value word(std::string_view key, const std::map<std::string, Value>& among) const {
    const auto found = among.find(text(key));
    if (found == among.end()) {
      std::vector<std::string> words;
      for (const auto& item : among) words.push_back(item.first);
      refuse(fmt::format("'{}' is '{}'; expected {}", key, text(key), fmt::join(words, ", ")));
    }
    return found->second;
  }
  // A list in JSON.
  JsonValue list(std::string_view key) const {
    return JsonValue::parse(text(key), fmt::format("{}: '{}'", file_.name(), key));
  }
  std::vector<float> floats(std::string_view key) const {
    const std::vector<double> numbers = list(key).numbers();
    return {numbers.begin(), numbers.end()};
  }
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorKind::kCorruptFile, fmt::format("{}: {}", file_.name(), what));
  }

 private:
  static constexpr std::int64_t kMostNumber = 1 << 20;
  const SafetensorsFile& file_;
};

// The first layer grows with the inputs. It is made only where the file has the numbers for it.
void check_inputs_fit(const BackboneShape& shape, const SafetensorsFile& file,
                      const MetadataReader& metadata) {
  constexpr std::int64_t kMostChannels = 4;
  if (shape.kind != BackboneKind::kMlp) {
    if (shape.inputs <= kMostChannels) return;
    metadata.refuse(
        fmt::format("'inputs' is {}; expected 1..{} channels", shape.inputs, kMostChannels));
  }
  std::size_t largest = 0;
  for (const std::string& name : file.names()) largest = std::max(largest, file.at(name).items);
  if (largest >= static_cast<std::size_t>(shape.inputs * kMlpWidth)) return;
  metadata.refuse(
      fmt::format("'inputs' is {}; expected {} weights for each, and the largest "
                  "tensor has {} numbers",
                  shape.inputs, kMlpWidth, largest));
}

ClassifierSpec spec_of(const SafetensorsFile& file) {
  const MetadataReader metadata(file);
  if (metadata.text("format") != kFormat) {
    metadata.refuse(fmt::format("format '{}'; expected '{}'", metadata.text("format"), kFormat));
  }
  if (const auto version = metadata.number("version"); version != kClassifierFileVersion) {
    metadata.refuse(fmt::format("version {}; expected {}", version, kClassifierFileVersion));
  }
  const auto names = metadata.list("classes").texts();
  const ClassNames classes = [&] {
    try {
      return ClassNames(names);
    } catch (const Error& error) {
      metadata.refuse(error.what());
    }
  }();
  ClassifierSpec spec{
      {metadata.word("backbone", backbone_names()), metadata.word("stem", stem_names()),
       metadata.number("inputs"), static_cast<std::int64_t>(classes.size())},
      metadata.number("height"),
      metadata.number("width"),
      classes,
      {metadata.floats("mean"), metadata.floats("scale")}};
  const auto inputs = static_cast<std::size_t>(spec.shape.inputs);
  if (inputs == 0 || spec.normalisation.mean.size() != inputs ||
      spec.normalisation.scale.size() != inputs) {
    metadata.refuse(fmt::format("'mean' and 'scale' have {} and {} numbers; expected {} each",
                                spec.normalisation.mean.size(), spec.normalisation.scale.size(),
                                inputs));
  }
  check_inputs_fit(spec.shape, file, metadata);
  return spec;
}

template <typename Names>
std::string word_of(const Names& names, typename Names::mapped_type value) {
  for (const auto& item : names) {
    if (item.second == value) return item.first;
  }
  return {};
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
  BackboneClassifier classifier(spec_of(file), file.name());
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
  writer.set_metadata("format", kFormat);
  writer.set_metadata("version", std::to_string(kClassifierFileVersion));
  writer.set_metadata("backbone", word_of(backbone_names(), spec_.shape.kind));
  writer.set_metadata("stem", word_of(stem_names(), spec_.shape.stem));
  writer.set_metadata("inputs", std::to_string(spec_.shape.inputs));
  writer.set_metadata("height", std::to_string(spec_.height));
  writer.set_metadata("width", std::to_string(spec_.width));
  writer.set_metadata("classes", nlohmann::json(spec_.classes.names()).dump());
  writer.set_metadata("mean", nlohmann::json(spec_.normalisation.mean).dump());
  writer.set_metadata("scale", nlohmann::json(spec_.normalisation.scale).dump());
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
