// Few answers at test time: 1 to 15 per class, drawn so that more hold the fewer. Nothing is
// trained for it: the policies are those of Table 1, which learnt with 15 per class.
#pragma once

#include <vector>

#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

// The jobs refer to the data set, which must outlive them.
std::vector<Job> small_context_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
