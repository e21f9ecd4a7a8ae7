#include "ifd/router/file_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/data/npz.h"
#include "ifd/data/predictions_file.h"
#include "ifd/policy/policy_file.h"
#include "ifd/router/roster_state.h"
#include "ifd/watch/kept_watch.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPredictions = "case,label,cat,dog\na,cat,0.75,0.25\nb,dog,0.75,0.25\n";

FileReport beside_predictions(const std::string& bytes) {
  const Predictions predictions = predictions_from_bytes(kPredictions, "p.csv");
  return report_bytes(bytes, "file", Beside{"p.csv", predictions});
}

TEST(FileReport, OfPredictions) {
  const FileReport report = report_bytes(kPredictions, "p.csv");
  EXPECT_TRUE(report.readable());
  EXPECT_EQ(report.kind, FileKind::kPredictions);
  EXPECT_EQ(report.cases, 2U);
  EXPECT_THAT(report.classes, ElementsAre("cat", "dog"));
  EXPECT_THAT(report.facts, ElementsAre("with labels; the model is right on 50.0 %"));
  EXPECT_THAT(report.odd, IsEmpty());
}

// Without predictions the truths of a context are its classes.
TEST(FileReport, OfAContextAlone) {
  const FileReport report = report_bytes(
      "expert,case,answer,truth\nann,x,cat,cat\nann,y,cow,dog\nbob,x,cat,cat\n", "c.csv");
  EXPECT_TRUE(report.readable());
  EXPECT_THAT(report.classes, ElementsAre("cat", "dog"));
  EXPECT_THAT(report.experts, ElementsAre("ann", "bob"));
  EXPECT_EQ(report.cases, 2U);
  EXPECT_THAT(report.odd, ElementsAre("1 answer(s) are no class of a truth",
                                      "fewer answers than there are classes: 'bob'"));
}

TEST(FileReport, OfAnswersBesidePredictions) {
  const FileReport report =
      beside_predictions("expert,case,answer\nann,a,cat\nann,z,cat\nbob,a,cow\n");
  EXPECT_TRUE(report.readable()) << report.error;
  EXPECT_THAT(report.facts, Contains("1 of the 2 cases of p.csv have an answer"));
  EXPECT_THAT(report.odd, ElementsAre("1 answer(s) on cases that p.csv lacks",
                                      "1 answer(s) are none of the classes"));
  EXPECT_THAT(beside_predictions("expert,case,answer,truth\nann,a,cat,cat\nann,b,dog,dog\n").facts,
              Contains("2 of its cases are in p.csv"));
}

TEST(FileReport, OfAnotherOrderOfClasses) {
  EXPECT_THAT(beside_predictions("case,dog,cat\na,0.5,0.5\n").odd,
              Contains("the classes, or their order, are not those of p.csv"));
}

TEST(FileReport, OfOurOwnFiles) {
  PolicyFile policy;
  policy.method = "ifd";
  EXPECT_THAT(report_bytes(policy.to_bytes(), "p.ifd").facts,
              ElementsAre("method 'ifd', 0 tensors"));
  RosterState roster(ClassNames({"cat", "dog"}));
  roster.add("ann");
  const FileReport report = report_bytes(roster.to_bytes(), "r.ifd");
  EXPECT_EQ(report.kind, FileKind::kRoster);
  EXPECT_THAT(report.experts, ElementsAre("ann"));
  EXPECT_THAT(report_bytes(roster.to_bytes() + "x", "r.ifd").error, HasSubstr("r.ifd: "));
  KeptWatch kept(ClassNames({"cat", "dog"}), Watch(2, {}));
  kept.watch.observe("bob", {.truth = ClassId{0}, .answer = Answer::outside()});
  const FileReport watched = report_bytes(kept.to_bytes(), "w");
  EXPECT_EQ(watched.kind, FileKind::kWatch);
  EXPECT_THAT(watched.experts, ElementsAre("bob"));
  EXPECT_THAT(watched.facts, Contains("1 new answers, 0 found; false alarms 0.05"));
}

TEST(FileReport, OfImages) {
  NpzWriter writer;
  const std::vector<std::uint8_t> pixels(2 * 4, 0);
  const std::vector<std::int64_t> labels = {0, 2};
  writer.add("test_images", {2, 2, 2}, std::span<const std::uint8_t>(pixels));
  writer.add("test_labels", {2}, std::span<const std::int64_t>(labels));
  const FileReport report = report_bytes(std::move(writer).bytes(), "m.npz");
  EXPECT_EQ(report.kind, FileKind::kMedmnist);
  EXPECT_THAT(report.facts, ElementsAre("3 classes", "test: 2 images of 2 x 2 x 1"));
}

// Files that come before the predictions are held against them too.
TEST(FileReport, OrderOfFilesDoesNotMatter) {
  const ScratchDirectory folder;
  folder.put("c.csv", "expert,case,answer,truth\nann,a,cat,cat\nann,b,dog,dog\n");
  folder.put("p.csv", kPredictions);
  const std::vector<std::filesystem::path> one = {folder / "c.csv", folder / "p.csv"};
  const std::vector<std::filesystem::path> other = {folder / "p.csv", folder / "c.csv"};
  EXPECT_EQ(report_files(one)[0].facts, report_files(other)[1].facts);
  EXPECT_EQ(report_files(one)[0].facts.size(), 2U);
}

}  // namespace
}  // namespace ifd
