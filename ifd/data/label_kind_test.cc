#include "ifd/data/label_kind.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

const ClassNames& animal_names() {
  static const ClassNames names({"cat", "dog", "2"});
  return names;
}

// A class whose name is a number is found by its name, or by its number, never by both; other names
// are names in both ways.
TEST(LabelKind, NamesAndNumbersAreTwoWaysToNameAClass) {
  EXPECT_EQ(find_class(animal_names(), "dog"), class_id(1));
  EXPECT_EQ(find_class(animal_names(), "2"), class_id(2));
  EXPECT_EQ(find_class(animal_names(), "1"), std::nullopt);
  EXPECT_EQ(find_class(animal_names(), "dog", LabelKind::kNumbers), class_id(1));
  EXPECT_EQ(find_class(ClassNames({"1", "0"}), "0", LabelKind::kNumbers), class_id(0));
  EXPECT_EQ(find_class(animal_names(), "0", LabelKind::kNumbers), class_id(0));
  EXPECT_EQ(find_class(animal_names(), "1.0", LabelKind::kNumbers), class_id(1));
  for (const char* text : {"3", "-1", "1.5", "", ".0", "1x", "99999999999999999999"}) {
    EXPECT_EQ(find_class(animal_names(), text, LabelKind::kNumbers), std::nullopt) << text;
  }
}

TEST(LabelKind, SaysWhatTheTextMayBeInstead) {
  EXPECT_EQ(expected_class(animal_names(), "cow"), "expected cat, dog, 2");
  EXPECT_EQ(expected_class(animal_names(), "7"), "expected cat, dog, 2");
  EXPECT_EQ(expected_class(animal_names(), "0"),
            "expected cat, dog, 2; class numbers? --labels numbers");
  EXPECT_EQ(expected_class(animal_names(), "3"),
            "expected cat, dog, 2; class numbers from 1? subtract 1 and give --labels numbers");
  EXPECT_EQ(expected_class(ClassNames::numbered(2), "2"),
            "expected 0..1; counted from 1? subtract 1");
  EXPECT_EQ(expected_class(ClassNames::numbered(2), "9"), "expected 0..1");
  EXPECT_EQ(expected_class(animal_names(), "cat", LabelKind::kNumbers),
            "expected a class number, 0..2");
  EXPECT_EQ(expected_class(animal_names(), "3", LabelKind::kNumbers),
            "expected a class number, 0..2; counted from 1? subtract 1");
}

TEST(LabelKind, AClassOtherwiseSpeltIsNamed) {
  const ClassNames classes({"polar bear", "cat", "10"});
  EXPECT_EQ(expected_class(classes, "Polar_Bear"),
            "expected polar bear, cat, 10; is it 'polar bear'? it must be written so");
  EXPECT_EQ(expected_class(classes, "CAT", LabelKind::kNumbers),
            "expected a class number, 0..2; is it 'cat'? it must be written so");
  for (const char* text : {"cow", "1.0", "-", "cat"}) EXPECT_EQ(spelling_hint(classes, text), "");
}

}  // namespace
}  // namespace ifd
