// An evaluation as text: sentences and tables for people, JSON and CSV for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/experts_shown.h"
#include "ifd/data/csv_text.h"
#include "ifd/evaluation/verdict.h"
#include "ifd/router.h"

namespace ifd::cli {

// Of very many experts those who are asked most, or all of them.
std::string evaluation_text(const Evaluation& evaluation, const Verdict& verdict,
                            const EvaluationOptions& options,
                            ExpertsShown shown = ExpertsShown::kMost);
std::string evaluation_json(const Evaluation& evaluation, const Verdict& verdict,
                            const EvaluationOptions& options, const Router& router);
std::string evaluation_csv(const Evaluation& evaluation, const Verdict& verdict, CsvText text);
// policy,budget,system_accuracy,expert_accuracy at every exact point, or at 1001 even ones.
std::string curves_csv(const Evaluation& evaluation, CsvText text);

// What it takes to reach the accuracy of --target; "budget" is null where none does.
nlohmann::ordered_json reach_json(const Reach& reach);
// "helps", "not sure", "hurts" or "nothing deferred".
const char* verdict_word(Verdict::Answer answer);
// The share of the cases that a budget is, as in "20 %" and "12.5 %".
std::string budget_name(double budget);
// What the accuracies at budgets are: on how many cases, with which intervals, whether budgets are
// caps.
std::string accuracies_explained(const Evaluation& evaluation, const EvaluationOptions& options);
// What the margin of a case is, and for which policies it only orders the cases.
std::string margins_explained(const Evaluation& evaluation);
// What AURSAC and AURDAC are.
std::string areas_explained(const EvaluationOptions& options);
// Where each policy would be used: at threshold 0, or at which budget.
std::string points_of_use_explained(const Evaluation& evaluation);
// What capacities change, and what they leave; nothing where there are none.
std::string capacities_explained(const Evaluation& evaluation, const EvaluationOptions& options);
// How much of the cases the answers cover; nothing where somebody could take every case.
std::string coverage_explained(const Evaluation& evaluation);
// Whether some expert could not take some case.
bool has_gaps(const Evaluation& evaluation);

}  // namespace ifd::cli
