// What the numbers of an evaluation are, in words: for tables, pages and their captions.
#pragma once

#include <string>

#include "ifd/evaluation/verdict.h"

namespace ifd {

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
std::string areas_explained(const Evaluation& evaluation, const EvaluationOptions& options);
// Where each policy would be used: at threshold 0, or at which budget.
std::string points_of_use_explained(const Evaluation& evaluation);
// What capacities change, and what they leave; nothing where there are none.
std::string capacities_explained(const Evaluation& evaluation, const EvaluationOptions& options);
// How much of the cases the answers cover; nothing where somebody could take every case.
std::string coverage_explained(const Evaluation& evaluation);
// The share of the cases that somebody could take.
double share_covered(const Evaluation& evaluation);
// Whether some expert could not take some case.
bool has_gaps(const Evaluation& evaluation);

}  // namespace ifd
