// Experiment 5: methods trained with few answers meet experts with more and more of them.
#pragma once

#include <vector>

#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

// The jobs refer to the data set, which must outlive them.
std::vector<Job> context_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
