// Experiment 4: the weight of a deferral in the loss, full (lower confidence bound), mean or
// binary, against the classifier alone.
#pragma once

#include <vector>

#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

// The jobs refer to the data set, which must outlive them.
std::vector<Job> lcb_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
