#include "train/classifier_spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "ifd/data/json_text.h"
#include "ifd/error.h"

namespace ifd::train {
namespace {

constexpr std::string_view kFormat = "ifd-classifier";

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

// A scale of 0 or an infinite mean would leave no numbers to classify.
void check_normalisation(const Normalisation& normalisation, const MetadataReader& metadata) {
  for (std::size_t i = 0; i < normalisation.mean.size(); ++i) {
    const float mean = normalisation.mean[i], scale = normalisation.scale[i];
    if (std::isfinite(mean) && std::isfinite(scale) && scale > 0) continue;
    metadata.refuse(
        fmt::format("input {} has mean {} and scale {}; expected finite numbers, the "
                    "scale positive",
                    i, mean, scale));
  }
}

}  // namespace

const std::map<std::string, BackboneKind>& backbone_names() {
  static const std::map<std::string, BackboneKind> names = {
      {"mlp", BackboneKind::kMlp},
      {"resnet-small", BackboneKind::kResnetSmall},
      {"resnet-18", BackboneKind::kResnet18},
      {"resnet-34", BackboneKind::kResnet34},
      {"mobilenet-v2", BackboneKind::kMobilenetV2},
      {"efficientnet-b0", BackboneKind::kEfficientnetB0}};
  return names;
}

const std::map<std::string, Stem>& stem_names() {
  static const std::map<std::string, Stem> names = {{"imagenet", Stem::kImagenet},
                                                    {"small", Stem::kSmall}};
  return names;
}

ClassifierSpec classifier_spec(const SafetensorsFile& file) {
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
  check_normalisation(spec.normalisation, metadata);
  check_inputs_fit(spec.shape, file, metadata);
  return spec;
}

void set_metadata(SafetensorsWriter& writer, const ClassifierSpec& spec) {
  writer.set_metadata("format", kFormat);
  writer.set_metadata("version", std::to_string(kClassifierFileVersion));
  writer.set_metadata("backbone", word_of(backbone_names(), spec.shape.kind));
  writer.set_metadata("stem", word_of(stem_names(), spec.shape.stem));
  writer.set_metadata("inputs", std::to_string(spec.shape.inputs));
  writer.set_metadata("height", std::to_string(spec.height));
  writer.set_metadata("width", std::to_string(spec.width));
  writer.set_metadata("classes", nlohmann::json(spec.classes.names()).dump());
  writer.set_metadata("mean", nlohmann::json(spec.normalisation.mean).dump());
  writer.set_metadata("scale", nlohmann::json(spec.normalisation.scale).dump());
}

}  // namespace ifd::train
