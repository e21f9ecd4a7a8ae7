// An evaluation for people and for programs.
#pragma once

#include <string>

#include "cli/evaluation.h"
#include "ifd/report/line_chart.h"

namespace ifd::cli {

std::string evaluation_text(const Evaluation& evaluation, const EvaluationOptions& options);
std::string evaluation_json(const Evaluation& evaluation, const EvaluationOptions& options,
                            const LoadedInputs& loaded);
std::string evaluation_csv(const Evaluation& evaluation);
// policy,budget,system_accuracy,expert_accuracy at every exact point, or at 1001 even ones.
std::string curves_csv(const Evaluation& evaluation);
std::string evaluation_html(const Evaluation& evaluation, const EvaluationOptions& options,
                            const LoadedInputs& loaded, const std::string& command);

LineChart system_accuracy_chart(const Evaluation& evaluation);

}  // namespace ifd::cli
