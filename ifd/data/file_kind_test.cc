#include "ifd/data/file_kind.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/data/npz.h"
#include "ifd/data/safetensors.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::ElementsAre;

FileKind kind_of(const std::string& bytes) { return summarize_file(bytes, "file").kind; }

std::string archive(const std::vector<std::string>& arrays) {
  NpzWriter writer;
  const std::vector<float> numbers = {.5F, .5F};
  for (const std::string& name : arrays) writer.add(name, {1, 2}, std::span<const float>(numbers));
  return std::move(writer).bytes();
}

TEST(FileKind, OfTablesIsByTheirColumns) {
  EXPECT_EQ(kind_of("case,label,cat,dog\na,cat,0.5,0.5\n"), FileKind::kPredictions);
  EXPECT_EQ(kind_of("case,cat,dog\na,0.5,0.5\n"), FileKind::kPredictions);
  EXPECT_EQ(kind_of("expert,case,answer\nann,a,cat\n"), FileKind::kAnswers);
  EXPECT_EQ(kind_of("Case ,Expert,truth,ANSWER\na,ann,cat,cat\n"), FileKind::kAnswers);
  EXPECT_EQ(kind_of("case,truth,ann,bob\na,cat,cat,dog\n"), FileKind::kWideAnswers);
  EXPECT_EQ(kind_of("case,ann,bob\na,cat,dog\n"), FileKind::kWideAnswers);
  EXPECT_EQ(kind_of("expert,class,mean,strength\nann,cat,0.5,2\n"), FileKind::kPrior);
  EXPECT_EQ(kind_of("expert,class,accuracy,confidence,strength\n"), FileKind::kPrior);
  EXPECT_EQ(kind_of("expert,capacity\nann,7\n"), FileKind::kCapacities);
  EXPECT_EQ(kind_of("truth,label,cost\n*,*,1\n"), FileKind::kCosts);
  EXPECT_EQ(kind_of("Truth,Label,Cost [EUR]\n*,*,1\n"), FileKind::kCosts);
  EXPECT_EQ(kind_of("expert,fee [EUR]\nann,7\n"), FileKind::kFees);
  EXPECT_EQ(kind_of("expert,feel\nann,7\n"), FileKind::kOther);
  EXPECT_EQ(kind_of("case,group\na,1\n"), FileKind::kGroups);
  EXPECT_EQ(kind_of("participant_id,image_name,noise_level\n"), FileKind::kImagenet16hAnswers);
  EXPECT_EQ(kind_of("model_name,image_name,noise_level\n"), FileKind::kImagenet16hPredictions);
  EXPECT_EQ(kind_of("id,weight\n1,2\n"), FileKind::kOther);
}

TEST(FileKind, OfArchivesIsByTheirArrays) {
  EXPECT_EQ(kind_of(archive({"logits", "labels"})), FileKind::kPredictions);
  EXPECT_EQ(kind_of(archive({"cases", "experts", "margins"})), FileKind::kMargins);
  EXPECT_EQ(kind_of(archive({"accuracies", "cases", "experts"})), FileKind::kAccuracies);
  EXPECT_EQ(kind_of(archive({"test_images", "test_labels"})), FileKind::kMedmnist);
  EXPECT_EQ(kind_of(archive({"x", "y"})), FileKind::kOther);
  EXPECT_THAT(summarize_file(archive({"x"}), "file").arrays, ElementsAre("x 1 x 2 float32"));
}

TEST(FileKind, OfOurOwnFilesIsByTheirFirstBytes) {
  EXPECT_EQ(kind_of("IFDPOLI1 and so on"), FileKind::kPolicy);
  EXPECT_EQ(kind_of("IFDROST1 and so on"), FileKind::kRoster);
  EXPECT_EQ(kind_of("IFDWATC1 and so on"), FileKind::kWatch);
  SafetensorsWriter writer;
  const std::vector<float> numbers = {1};
  writer.add("weight", {1}, std::span<const float>(numbers));
  EXPECT_EQ(kind_of(std::move(writer).bytes()), FileKind::kSafetensors);
}

TEST(FileKind, CountsWhatIsOddInAColumn) {
  const FileSummary summary = summarize_file(
      "expert,case,answer,note\nann,a,cat,x\nann,b,NA,\nbob,c,,n/a\nbob,d, dog ,y\n", "file");
  ASSERT_TRUE(summary.table);
  EXPECT_EQ(summary.table->rows, 4U);
  const ColumnSummary* answers = summary.table->find("answer");
  ASSERT_NE(answers, nullptr);
  EXPECT_EQ(answers->empty, 1U);
  EXPECT_EQ(answers->not_available, 1U);
  EXPECT_THAT(answers->values, ElementsAre("cat", "NA", "dog"));
  EXPECT_THAT(summary.table->find("expert")->values, ElementsAre("ann", "bob"));
  EXPECT_TRUE(summary.table->find("note")->values.empty()) << "only columns that name things";
  EXPECT_EQ(summary.table->find("none"), nullptr);
}

TEST(FileKind, DamageIsAnError) {
  EXPECT_NE(refusal([] { summarize_file("PK\x03\x04 cut short", "file"); }), "");
  EXPECT_NE(refusal([] { summarize_file("", "file"); }), "");
}

}  // namespace
}  // namespace ifd
