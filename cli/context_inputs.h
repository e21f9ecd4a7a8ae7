// The files that a staff is known from: its past answers, and the cases whose predictions name the
// classes and may know the truths.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "command_line/answers_format_options.h"
#include "command_line/predictions_format_option.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_options.h"

namespace ifd::cli {

struct ContextInputs {
  std::filesystem::path predictions = {};
  std::filesystem::path context = {};
  std::filesystem::path context_predictions = {};
  AnswersFormatOptions answers = {};
  PredictionsFormatOptions format = {};

  // Of the context's own cases; nothing where no file was named.
  std::optional<Predictions> read_context_predictions(const ReadOptions& reading) const;
  // Truths that the context lacks come from `own`, the predictions of its cases, or else from
  // `cases`; either may be null.
  std::vector<ExpertContext> read_context(const ClassNames& classes, const Predictions* own,
                                          const Predictions* cases, const ReadOptions& reading,
                                          const AnswersFormat& taken_for) const;
};

}  // namespace ifd::cli
