#include "command_line/predictions_format_option.h"

namespace ifd {

void PredictionsFormatOptions::add_to(CLI::App& command) {
  CLI::Option* const are_logits =
      command.add_flag("--logits", logits, "The CSV predictions are logits, not probabilities");
  command
      .add_flag("--percent", percent, "The predictions are percentages: a row sums to 100, not 1")
      ->excludes(are_logits);
  command
      .add_option(
          "--labels", labels,
          "How CSV files write classes: names, or numbers too, which count from 0 in the order "
          "of the classes")
      ->check(CLI::IsMember({"names", "numbers"}))
      ->capture_default_str();
  command
      .add_option("--group", group,
                  "A column of the CSV predictions that is no class: which cases belong together, "
                  "for the intervals of evaluate")
      ->type_name("COLUMN");
}

PredictionsFormat PredictionsFormatOptions::format() const {
  PredictionsFormat format(logits ? ScoreKind::kLogits : ScoreKind::kProbabilities);
  if (percent) format.unit = ProbabilityUnit::kPercent;
  if (labels == "numbers") format.labels = LabelKind::kNumbers;
  format.group_column = group;
  return format;
}

}  // namespace ifd
