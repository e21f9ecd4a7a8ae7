// Experiment 3: real people's answers on ImageNet-16H. Policies learn at noise 80 and decide at
// noise 95, 110 and 125, with the model probabilities that come with the data.
#pragma once

#include <vector>

#include "experiments/jobs/annotators.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

// The jobs refer to the people, who must outlive them.
std::vector<Job> imagenet16h_jobs(const RealAnnotators& people, const Effort& effort);

}  // namespace ifd::experiments
