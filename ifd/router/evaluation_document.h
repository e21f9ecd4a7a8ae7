// An evaluation for programs: JSON and CSV.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "ifd/data/csv_text.h"
#include "ifd/evaluation/verdict.h"
#include "ifd/router.h"

namespace ifd {

std::string evaluation_json(const Evaluation& evaluation, const Verdict& verdict,
                            const EvaluationOptions& options, const Router& router);
std::string evaluation_csv(const Evaluation& evaluation, const Verdict& verdict, CsvText text);
// policy,budget,system_accuracy,expert_accuracy at every exact point, or at 1001 even ones.
std::string curves_csv(const Evaluation& evaluation, CsvText text);

// What it takes to reach the accuracy of --target; "budget" is null where none does.
nlohmann::ordered_json reach_json(const Reach& reach);

}  // namespace ifd
