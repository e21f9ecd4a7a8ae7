// An evaluation as a self-contained page, and the picture that leads it.
#pragma once

#include <string>

#include "ifd/evaluation/verdict.h"
#include "ifd/report/line_chart.h"
#include "ifd/router.h"

namespace ifd {

// `command` is what would make the page again.
std::string evaluation_html(const Evaluation& evaluation, const Verdict& verdict,
                            const EvaluationOptions& options, const Router& router,
                            const std::string& command);

LineChart system_accuracy_chart(const Evaluation& evaluation);

}  // namespace ifd
