// Experiment 8: what the paper leaves open. All on Variable specialists and the policies trained
// for Table 1.
#pragma once

#include <vector>

#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

// The jobs refer to the data set, which must outlive them.
std::vector<Job> beyond_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
