// --answer, --sure and --worth: what becomes of experts' answers, and when somebody else should
// look.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "ifd/decision/answer_use.h"
#include "ifd/router/combination.h"

namespace ifd::cli {

void add_answer_option(CLI::App& command, std::string& answer);
AnswerUse answer_use(const std::string& word);

struct AdviceInputs {
  std::optional<double> sure;
  std::optional<double> worth;

  void add_to(CLI::App& command);
  bool given() const { return sure || worth; }
  // Error(kUsage) for numbers that are not probabilities.
  AdviceOptions options() const;
};

}  // namespace ifd::cli
