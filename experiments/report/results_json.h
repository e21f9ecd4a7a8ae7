// results.json: the run, its claims and the mean of every cell. Single cohorts are in results.csv.
#pragma once

#include <string>
#include <vector>

#include "experiments/claims/claims.h"
#include "experiments/claims/recommendation.h"
#include "experiments/claims/summary.h"
#include "experiments/report/run_record.h"

namespace ifd::experiments {

std::string results_json(const RunRecord& run, const Summary& summary,
                         const std::vector<Claim>& claims, const Recommendation& recommended);

}  // namespace ifd::experiments
