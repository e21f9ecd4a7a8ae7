// What it would cost to leave a case with the model, and to give it to the expert who would be
// asked: what certificates are made of.
#pragma once

#include <vector>

#include "ifd/certificate/certified_thresholds.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/router/routes.h"

namespace ifd {

class Costs;
class Router;

// `everything` are the routes of the cases at the threshold kDeferAll, so that each names its
// expert. A loss is 1 for a wrong answer, also for none, and where the router combines answers for
// a wrong combined label; `cases` have labels, and the answers' columns are the routes' experts.
// With `costs`, which may be null, it is what the answer and asking for it cost, over the most that
// a case can cost; no answer is the worst mistake.
std::vector<LossCase> measured_losses(const Predictions& cases, const Routes& everything,
                                      const AnswerTable& answers, const Router& router,
                                      const Costs* costs = nullptr);

// The same where no answers are known: with the errors that the experts' profiles expect for the
// true class.
std::vector<LossCase> predicted_losses(const Predictions& cases, const Routes& everything,
                                       const Router& router, const Costs* costs = nullptr);

}  // namespace ifd
