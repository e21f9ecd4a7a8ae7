// L2D-Pop is shown contexts while it learns. Its authors draw them from a pool of the experts'
// answers; the study draws them from all training cases. What does it change, by how well the
// experts on duty are known from the training?
#pragma once

#include <vector>

#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

// Whatever effort.pop_context says. The jobs refer to the data set, which must outlive them.
std::vector<Job> pop_context_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
