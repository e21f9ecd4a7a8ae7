// Experiment 2, the paper's Table 1 on simulated experts, with the invariance certificate
// (experiment 7) of every policy it trains.
#pragma once

#include <vector>

#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

// The jobs refer to the data set, which must outlive them.
std::vector<Job> table1_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
