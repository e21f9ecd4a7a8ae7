#include "experiments/jobs/sleep_scorers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/data/answers_file.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "tests/invented_sleep.h"
#include "tests/real_data.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;

void put_list(const ScratchDirectory& scratch, const std::filesystem::path& file,
              const Hypnogram& stages) {
  std::string text = "[";
  for (const Answer stage : stages) {
    text += fmt::format("{}{}", text.size() > 1 ? ", " : "", index(stage.as_class()));
  }
  std::filesystem::create_directories((scratch / file.string()).parent_path());
  scratch.put(file.string(), text + "]\n");
}

// The same nights as tables and as they were published are the same scorers.
TEST(SleepScorers, AreReadFromTablesAndFromThePublishedFiles) {
  const ScratchDirectory scratch;
  const auto recordings = invented_recordings();
  for (const ScoredRecording& recording : recordings) {
    for (std::size_t j = 0; j < recording.scorers.size(); ++j) {
      put_list(scratch, fmt::format("clone/scorers/dodh/scorer_{}/{}.json", j + 1, recording.name),
               recording.scorers[j]);
    }
    for (std::size_t j = 0; j < recording.networks.size(); ++j) {
      put_list(
          scratch,
          fmt::format("clone/results/dodh/family_{}/network_{}/{}.json", j % 2, j, recording.name),
          recording.networks[j]);
    }
  }
  const ScoredSleep sleep = scored_sleep(invented_scorers(), recordings);
  std::filesystem::create_directory(scratch / "tables");
  write_predictions(scratch / "tables/predictions.csv", sleep.predictions);
  write_answers(scratch / "tables/answers.csv", sleep.answers, sleep.predictions);

  const auto clone = read_sleep_scorers(scratch / "clone", Portion::kWhole);
  const auto tables = read_sleep_scorers(scratch / "tables", Portion::kWhole);
  ASSERT_TRUE(clone && tables);
  EXPECT_EQ(clone->hash, tables->hash);
  EXPECT_EQ(clone->recordings, invented_sleep().recordings);
  EXPECT_EQ(clone->recording_count, 6u);
  EXPECT_EQ(clone->answers.expert_names(), invented_scorers());
  EXPECT_EQ(read_sleep_scorers(scratch / "tables", Portion::kPart)->epochs.size(), 240u);
  EXPECT_FALSE(read_sleep_scorers(scratch / "nowhere", Portion::kWhole));
}

TEST(SleepScorers, NamesThatTellNoRecordingAreRefused) {
  const ScratchDirectory scratch;
  scratch.put("predictions.csv", "case,wake,n1\nfirst,.5,.5\n");
  scratch.put("answers.csv", "expert,case,answer\nann,first,wake\n");
  try {
    read_sleep_scorers(scratch.path(), Portion::kWhole);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("epoch 'first'; expected a name such as r03-0017"));
  }
}

TEST(SleepScorers, AreFiveOnTwentyFiveRecordings) {
  const auto file = real_data("dodh/predictions.csv.gz");
  if (!file) GTEST_SKIP() << "dodh is not in IFD_DATA or ../shared/data";
  const auto scorers = read_sleep_scorers(file->parent_path(), Portion::kWhole);
  ASSERT_TRUE(scorers);
  EXPECT_EQ(scorers->epochs.size(), 24665u);
  EXPECT_EQ(scorers->answers.experts(), 5u);
  EXPECT_EQ(scorers->recording_count, 25u);
  EXPECT_EQ(scorers->first_of_test(), 12u);
}

}  // namespace
}  // namespace ifd::experiments
