// The policy of a method for a cohort of simulated experts.
#pragma once

#include <cstdint>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/methods.h"
#include "experiments/jobs/workshop.h"
#include "ifd/policy/policy_file.h"

namespace ifd::experiments {

// From the workshop's cache, or trained now.
PolicyFile cohort_policy(Workshop& workshop, const DataSet& data_set, const CohortData& data,
                         Archetype archetype, const Method& method, const Effort& effort,
                         std::uint64_t cohort);

}  // namespace ifd::experiments
