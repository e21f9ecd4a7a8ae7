#include "cli/context_inputs.h"

#include "ifd/data/answers_file.h"
#include "ifd/data/predictions_file.h"

namespace ifd::cli {

std::optional<Predictions> ContextInputs::read_context_predictions(
    const ReadOptions& reading) const {
  if (context_predictions.empty()) return {};
  return read_predictions(context_predictions, format.format(), reading);
}

std::vector<ExpertContext> ContextInputs::read_context(const ClassNames& classes,
                                                       const Predictions* own,
                                                       const Predictions* cases,
                                                       const ReadOptions& reading,
                                                       const AnswersFormat& taken_for) const {
  if (context.empty()) return {};
  if (own == nullptr && cases != nullptr) {
    return read_contexts_beside(context, *cases, reading, taken_for);
  }
  return read_contexts(context, classes, own, reading, taken_for);
}

}  // namespace ifd::cli
