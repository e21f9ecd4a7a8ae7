// Do policies that learn from what the classifier says of its own training cases learn from one
// that is too sure? They learn from that and, on the same cases with the same experts, from
// out-of-fold predictions; validation and test are the one classifier's either way. All on Variable
// specialists.
//
// Features of different folds are not comparable, so only methods that read none take part.
#pragma once

#include <cstddef>
#include <vector>

#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

inline constexpr std::size_t kCrossFitFolds = 5;

// `data_set` has out-of-fold predictions. All cohorts have the data set's own classifier. The jobs
// refer to the data set, which must outlive them.
std::vector<Job> cross_fit_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
