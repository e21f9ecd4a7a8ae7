// An evaluation as text for people: sentences and tables.
#pragma once

#include <string>

#include "ifd/evaluation/verdict.h"
#include "ifd/router.h"
#include "ifd/router/experts_shown.h"

namespace ifd::cli {

// Of very many experts those who are asked most, or all of them.
std::string evaluation_text(const Evaluation& evaluation, const Verdict& verdict,
                            const EvaluationOptions& options,
                            ExpertsShown shown = ExpertsShown::kMost);

}  // namespace ifd::cli
