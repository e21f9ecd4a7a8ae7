// How much a policy moves when classes change their names.
#pragma once

#include <string>
#include <vector>

#include "experiments/jobs/cohort_data.h"
#include "experiments/result/job_result.h"
#include "ifd/policy/policy_file.h"

namespace ifd::experiments {

// For `count` random relabellings, coherent ones ("coherent": model, experts and truths together,
// which ought to change nothing) and of the experts alone ("expert-only", which ought to move
// deferrals along): the largest and the mean change of a margin over cases and experts, and the
// share of cases routed elsewhere at a budget of 20 %. One row each for every relabelling (x), with
// the setting saying which kind.
std::vector<ResultRow> invariance_rows(const ResultRow& where, const PolicyFile& file,
                                       const Predictions& cases, const ExpertGroup& group,
                                       std::size_t count, std::uint64_t seed);

}  // namespace ifd::experiments
