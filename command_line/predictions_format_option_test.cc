#include "command_line/predictions_format_option.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

PredictionsFormatOptions parsed_format(std::vector<std::string> words) {
  CLI::App command;
  PredictionsFormatOptions options;
  options.add_to(command);
  std::reverse(words.begin(), words.end());
  command.parse(words);
  return options;
}

TEST(PredictionsFormatOptions, SayHowToRead) {
  const PredictionsFormatOptions none = parsed_format({});
  EXPECT_EQ(none.format().scores, ScoreKind::kProbabilities);
  EXPECT_EQ(none.format().unit, ProbabilityUnit::kShares);
  EXPECT_EQ(none.format().labels, LabelKind::kNames);

  const PredictionsFormatOptions options = parsed_format({"--percent", "--labels", "numbers"});
  EXPECT_EQ(options.format().unit, ProbabilityUnit::kPercent);
  EXPECT_EQ(options.label_kind(), LabelKind::kNumbers);
  EXPECT_EQ(parsed_format({"--logits"}).format().scores, ScoreKind::kLogits);
}

TEST(PredictionsFormatOptions, LogitsAreNoPercentages) {
  EXPECT_THROW(parsed_format({"--logits", "--percent"}), CLI::ParseError);
}

}  // namespace
}  // namespace ifd
