#include "train/classifier_spec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/error.h"

namespace ifd::train {
namespace {

ClassifierSpec spec() {
  return {{BackboneKind::kResnet18, Stem::kImagenet, 2, 3},
          28,
          30,
          ClassNames({"cat", "dog", "\xc3\xa9"}),
          {{.1F, -.5F}, {.25F, 1e-3F}}};
}

SafetensorsFile file_of(const ClassifierSpec& of, std::string_view key = {},
                        std::string_view value = {}) {
  SafetensorsWriter writer;
  set_metadata(writer, of);
  if (!key.empty()) writer.set_metadata(key, value);
  return SafetensorsFile::from_bytes(std::move(writer).bytes(), "c.safetensors");
}

// What is written is read as it was, to the last bit.
TEST(ClassifierSpec, ComesBackFromItsFile) {
  const ClassifierSpec read = classifier_spec(file_of(spec()));
  EXPECT_EQ(read.shape.kind, BackboneKind::kResnet18);
  EXPECT_EQ(read.shape.stem, Stem::kImagenet);
  EXPECT_EQ(read.shape.inputs, 2);
  EXPECT_EQ(read.shape.classes, 3);
  EXPECT_EQ(read.height, 28);
  EXPECT_EQ(read.width, 30);
  EXPECT_EQ(read.classes.names(), spec().classes.names());
  EXPECT_EQ(read.normalisation.mean, spec().normalisation.mean);
  EXPECT_EQ(read.normalisation.scale, spec().normalisation.scale);
}

// A scale of 0 or an infinite mean would make every input of the network infinite or no number.
TEST(ClassifierSpec, RefusesANormalisationThatMakesNoNumbers) {
  for (const auto& [key, value] : {std::pair("mean", "[0, 1e300]"),
                                   {"mean", "[-1e39, 0]"},
                                   {"scale", "[1, 0]"},
                                   {"scale", "[1, -1]"},
                                   {"scale", "[1e300, 1]"}}) {
    SCOPED_TRACE(testing::Message() << key << " " << value);
    try {
      classifier_spec(file_of(spec(), key, value));
      FAIL() << "was read";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kCorruptFile);
      EXPECT_THAT(error.what(), testing::HasSubstr("expected finite numbers, the scale positive"));
    }
  }
}

}  // namespace
}  // namespace ifd::train
