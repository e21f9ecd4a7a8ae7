#include "ifd/data/answer_cells.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

const ClassNames kAnimalsOrNone({"cat", "dog", "none"});

TEST(AnswerCells, BlanksAreTheWordsForNothing) {
  for (const char* text : {"", " ", "\t", "NA", "na", " n/a ", "NaN", "NONE", "Null", "-", "?"}) {
    EXPECT_TRUE(is_blank(text)) << text;
  }
  for (const char* text : {"0", "nah", "n a", "--", "nul", "cat", "N/A?", "."}) {
    EXPECT_FALSE(is_blank(text)) << text;
  }
}

// 'none' is a class here, and so no blank; 'None' is.
TEST(AnswerCells, AreAClassOrBlankOrOutside) {
  AnswerCells cells(kAnimalsOrNone, LabelKind::kNames);
  EXPECT_TRUE(cells.read("dog").is(ClassId{1}));
  EXPECT_TRUE(cells.read("none").is(ClassId{2}));
  EXPECT_TRUE(cells.read("None").is_missing());
  EXPECT_TRUE(cells.read("1").is_outside());
  AnswerCells numbers(kAnimalsOrNone, LabelKind::kNumbers);
  EXPECT_TRUE(numbers.read("1").is(ClassId{1}));
  EXPECT_TRUE(numbers.read("none").is(ClassId{2}));
  EXPECT_TRUE(numbers.read("None").is_missing());
  EXPECT_TRUE(numbers.read("dog").is(ClassId{1}));
  EXPECT_TRUE(numbers.read("cow").is_outside());
  EXPECT_TRUE(numbers.read("3").is_outside());
}

TEST(AnswerCells, ListTheMostFrequentOutside) {
  AnswerCells cells(kAnimalsOrNone, LabelKind::kNames);
  EXPECT_EQ(cells.outside(), "");
  for (const char* text : {"cow", "unsure", "cat", "NA", "unsure", "1"}) cells.read(text);
  EXPECT_EQ(cells.outside(), "'unsure' (2), '1' (1), 'cow' (1)");
  for (const char* text : {"e", "f", "f", "g\x1b"}) cells.read(text);
  EXPECT_EQ(cells.outside(), "'f' (2), 'unsure' (2), '1' (1), 'cow' (1), 'e' (1) and 1 more");
}

TEST(AnswerCells, AClassOtherwiseSpeltIsNamed) {
  AnswerCells cells(kAnimalsOrNone, LabelKind::kNames);
  for (const char* text : {"Cat", "Cat", "cow"}) cells.read(text);
  EXPECT_EQ(cells.outside(), "'Cat' (2; is it 'cat'? it must be written so), 'cow' (1)");
}

TEST(AnswerCells, ClassNumbersAreSuspected) {
  AnswerCells cells(kAnimalsOrNone, LabelKind::kNames);
  for (const char* text : {"0", "2", "2"}) cells.read(text);
  EXPECT_EQ(cells.outside(), "'2' (2), '0' (1); class numbers? --labels numbers");
  cells.read("3");
  EXPECT_EQ(cells.outside(), "'2' (2), '0' (1), '3' (1)");
}

}  // namespace
}  // namespace ifd
