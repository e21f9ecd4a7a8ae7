// Real people: every two of the five sleep scorers of DOD-H on duty, the majority of the others for
// truth, profiles from the first half of the recordings and cases from the second.
//
// The classifier is calibrated for all methods alike, by one temperature on all past epochs.
#pragma once

#include <vector>

#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"
#include "experiments/jobs/sleep_scorers.h"

namespace ifd::experiments {

// A draw of the contexts stands for the cohort. The jobs refer to the scorers, who must outlive
// them.
std::vector<Job> scorers_jobs(const SleepScorers& scorers, const Effort& effort);

}  // namespace ifd::experiments
