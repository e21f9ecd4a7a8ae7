// Experiment 6: what priors, right and wrong, do to profiles and to routing. The policy is trained
// once; only priors and contexts vary.
#pragma once

#include <vector>

#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

// The jobs refer to the data set, which must outlive them.
std::vector<Job> prior_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
