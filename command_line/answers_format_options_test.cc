#include "command_line/answers_format_options.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

AnswersFormatOptions parsed(const std::string& words) {
  AnswersFormatOptions options;
  CLI::App app;
  options.add_to(app);
  app.parse(words);
  return options;
}

TEST(AnswersFormatOptions, SayWhatAFileIsTakenFor) {
  const AnswersFormat usual = parsed("").format(LabelKind::kNames);
  EXPECT_EQ(usual.truth, TruthKind::kGiven);
  EXPECT_FALSE(usual.blanks.has_value());
  EXPECT_EQ(usual.labels, LabelKind::kNames);
  EXPECT_EQ(parsed("").format(LabelKind::kNumbers).labels, LabelKind::kNumbers);
  EXPECT_EQ(parsed("--truth row").format({}).truth, TruthKind::kRow);
  EXPECT_EQ(parsed("--truth others").format({}).truth, TruthKind::kOthers);
  EXPECT_EQ(parsed("--truth majority").format({}).truth, TruthKind::kMajority);
  EXPECT_EQ(parsed("--blank skip").format({}).blanks, BlankAnswers::kSkip);
  EXPECT_EQ(parsed("--blank wrong").format({}).blanks, BlankAnswers::kWrong);
  EXPECT_THROW(parsed("--truth most"), CLI::ValidationError);
}

}  // namespace
}  // namespace ifd
