#include "cli/staff_inputs.h"

#include <fmt/format.h>

#include "cli/command.h"
#include "ifd/data/predictions_file.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd::cli {

void StaffInputs::add_to(CLI::App& command) {
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

LoadedStaff load(const StaffInputs& inputs, const AnswersFormat& taken_for,
                 const Program& program) {
  const ReadOptions reading = program.reading();
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
  const auto own = inputs.read_context_predictions(reading);
  auto contexts = inputs.read_context(classes, own ? &*own : nullptr,
                                      predictions ? &*predictions : nullptr, reading, taken_for);
  return {classes, std::move(predictions), std::move(contexts)};
}

void add_plan_inputs(CLI::App& command, StaffInputs& inputs) {
  command
      .add_option("--context", inputs.context,
                  "Past answers of the staff, CSV expert,case,answer[,truth]")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--predictions", inputs.predictions,
                  "Today's mix of cases; names the classes, and gives truths by its labels")
      ->type_name("FILE");
  inputs.add_to(command);
}

LoadedStaff load_for_plan(const StaffInputs& inputs, const Program& program) {
  if (inputs.predictions.empty() == inputs.classes.empty()) {
    throw Error(ErrorKind::kUsage, "expected either --predictions or --classes");
  }
  return load(inputs, inputs.answers.format(inputs.format.label_kind()), program);
}

}  // namespace ifd::cli
