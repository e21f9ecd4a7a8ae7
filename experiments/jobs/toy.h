// Experiment 1: three rings. One expert knows class 0 while the policies learn; at test time
// another one does (ID), or one who knows class 2 (OOD).
#pragma once

#include <vector>

#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"

namespace ifd::experiments {

std::vector<Job> toy_jobs(const Effort& effort);

}  // namespace ifd::experiments
