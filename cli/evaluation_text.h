// An evaluation as text: a table for people, JSON and CSV for programs.
#pragma once

#include <string>

#include "ifd/data/csv_text.h"
#include "ifd/router.h"

namespace ifd::cli {

std::string evaluation_text(const Evaluation& evaluation, const EvaluationOptions& options);
std::string evaluation_json(const Evaluation& evaluation, const EvaluationOptions& options,
                            const Router& router);
std::string evaluation_csv(const Evaluation& evaluation, CsvText text);
// policy,budget,system_accuracy,expert_accuracy at every exact point, or at 1001 even ones.
std::string curves_csv(const Evaluation& evaluation, CsvText text);

}  // namespace ifd::cli
