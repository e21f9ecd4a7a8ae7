#include "cli/staff_inputs.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "ifd/data/answers_file.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd::cli {

void StaffInputs::add_to(CLI::App& command) {
  command
      .add_option("--context", context, "Past answers of the staff, CSV expert,case,answer[,truth]")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--predictions", predictions,
                  "Today's mix of cases; names the classes, and gives truths by its labels")
      ->type_name("FILE");
  command
      .add_option("--context-predictions", context_predictions,
                  "Predictions for the context's cases: labels for contexts without a truth column")
      ->type_name("FILE");
  command.add_option("--classes", classes, "The class names, instead of --predictions")
      ->delimiter(',')
      ->type_name("NAME,...");
  answers.add_to(command);
  format.add_to(command);
}

LoadedStaff load(const StaffInputs& inputs, const Program& program) {
  if (inputs.predictions.empty() == inputs.classes.empty()) {
    throw Error(ErrorKind::kUsage, "expected either --predictions or --classes");
  }
  const ReadOptions reading = program.reading();
  const AnswersFormat format = inputs.answers.format(inputs.format.label_kind());
  std::optional<Predictions> predictions;
  if (!inputs.predictions.empty()) {
    predictions = read_predictions(inputs.predictions, inputs.format.format(), reading);
  }
  for (const std::string& name : inputs.classes) {
    if (first_invalid_utf8(name) != name.size()) {
      throw bad_input(fmt::format("--classes: '{}' is not UTF-8; expected UTF-8", excerpt(name)));
    }
  }
  const ClassNames classes = predictions
                                 ? predictions->classes()
                                 : placed("--classes", [&] { return ClassNames(inputs.classes); });
  std::vector<ExpertContext> contexts;
  if (!inputs.context_predictions.empty()) {
    const Predictions own =
        read_predictions(inputs.context_predictions, inputs.format.format(), reading);
    contexts = read_contexts(inputs.context, classes, &own, reading, format);
  } else if (predictions) {
    contexts = read_contexts_beside(inputs.context, *predictions, reading, format);
  } else {
    contexts = read_contexts(inputs.context, classes, nullptr, reading, format);
  }
  Roster roster = make_roster(contexts, classes.size());
  return {classes, std::move(predictions), std::move(contexts), std::move(roster)};
}

}  // namespace ifd::cli
