#include "command_line/answers_format_options.h"

namespace ifd {

void AnswersFormatOptions::add_to(CLI::App& command) {
  command
      .add_option(
          "--truth", truth,
          "Truths of the context: given, one per case; row, each row's own; others or majority, "
          "what most of the other experts, or of all, answered; dawid-skene, the likeliest, with "
          "experts as reliable as all answers make them")
      ->check(CLI::IsMember({"given", "row", "others", "majority", "dawid-skene"}))
      ->capture_default_str();
  command
      .add_option("--blank", blank,
                  "Answers that are empty, NA, None, null, - or ?: skip, or count as wrong; "
                  "without it they are skipped in contexts and wrong in --answers")
      ->check(CLI::IsMember({"skip", "wrong"}));
}

AnswersFormat AnswersFormatOptions::format(LabelKind labels) const {
  AnswersFormat format;
  for (const TruthKind kind : kTruthKinds) {
    if (truth == word_for(kind)) format.truth = kind;
  }
  if (blank == "skip") format.blanks = BlankAnswers::kSkip;
  if (blank == "wrong") format.blanks = BlankAnswers::kWrong;
  format.labels = labels;
  return format;
}

}  // namespace ifd
