// Operating points of a policy where every expert can take only so many cases.
#pragma once

#include <span>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/evaluation/answer_worth.h"
#include "ifd/evaluation/evaluation.h"
#include "ifd/policy/assignment.h"

namespace ifd {

// Puts the assignments in place of the policy's operating points: at threshold 0, at each budget,
// at the asked threshold if there is one. Returns for each of these, in that order, the credit that
// every case ends with. `cases` are as the policy reads them, with labels. With the profiles of the
// experts in `combined` their answers are combined.
std::vector<std::vector<Credit>> assign_operating_points(
    PolicyEvaluation& measured, const WithinCapacities& assignment, const Predictions& cases,
    const AnswerTable& answers, const AnswerWorth& worth, std::span<const ExpertProfile> combined);

}  // namespace ifd
