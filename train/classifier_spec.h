// Everything about a classifier of ours but its weights, and how its file tells it. Needs no
// LibTorch.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ifd/data/class_names.h"
#include "ifd/data/safetensors.h"

namespace ifd::train {

inline constexpr int kClassifierFileVersion = 1;

// kMlp: 2 hidden layers of 64 on a vector. kResnetSmall: three stages of one basic block, 32, 64
// and 128 channels, for 28 x 28 in minutes. The others are the published ones.
enum class BackboneKind { kMlp, kResnetSmall, kResnet18, kResnet34, kMobilenetV2, kEfficientnetB0 };

// How a net begins. kImagenet is torchvision's, for 224 x 224. kSmall fits 28 x 28: a ResNet begins
// with a 3 x 3 convolution of stride 1 and no pooling; the other two with their first two strides 1
// instead of 2. kResnetSmall has but one, and an MLP has none: both are the same for either word.
enum class Stem { kImagenet, kSmall };

const std::map<std::string, BackboneKind>& backbone_names();
const std::map<std::string, Stem>& stem_names();

// The name of a value that has one.
template <typename Value>
std::string word_of(const std::map<std::string, Value>& names, Value value) {
  for (const auto& item : names) {
    if (item.second == value) return item.first;
  }
  return {};
}

struct BackboneShape {
  BackboneKind kind = BackboneKind::kResnetSmall;
  Stem stem = Stem::kSmall;
  std::int64_t inputs = 3;  // channels of an image, width of a vector
  std::int64_t classes = 0;
};

// Of the hidden layers of an MLP.
inline constexpr std::int64_t kMlpWidth = 64;

// x becomes (x - mean) / scale, channel by channel (pixels: of x / 255) or number by number.
struct Normalisation {
  std::vector<float> mean, scale;
};

struct ClassifierSpec {
  BackboneShape shape;
  std::int64_t height = 0, width = 0;  // of an image; 0 for vectors
  ClassNames classes;
  Normalisation normalisation;
};

// From the metadata of a classifier's file; docs/formats.md tells its keys. Error for what is not
// there, is not right, or asks for a network that the file has no numbers for.
ClassifierSpec classifier_spec(const SafetensorsFile& file);
void set_metadata(SafetensorsWriter& writer, const ClassifierSpec& spec);

}  // namespace ifd::train
