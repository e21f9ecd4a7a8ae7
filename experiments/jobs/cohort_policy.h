// The policy of a method for a cohort of simulated experts.
#pragma once

#include <cstdint>
#include <optional>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/methods.h"
#include "experiments/jobs/workshop.h"
#include "ifd/policy/policy_file.h"
#include "ifd/policy/roster.h"

namespace ifd::experiments {

// From the workshop's cache, or trained now.
PolicyFile cohort_policy(Workshop& workshop, const DataSet& data_set, const CohortData& data,
                         Archetype archetype, const Method& method, const Effort& effort,
                         std::uint64_t cohort);

// The same on a schedule of its own.
PolicyFile cohort_policy(Workshop& workshop, const DataSet& data_set, const CohortData& data,
                         Archetype archetype, const Method& method, const train::Schedule& schedule,
                         const Population& population);

// The group as this policy knows it. A method of fixed experts knows those it was trained with and
// nobody else: who follows one in the same specialty takes over the seat, and for the OOD experts
// there is none.
std::optional<Roster> seats_of(const PolicyFile& file, const CohortData& data,
                               const ExpertGroup& group);

}  // namespace ifd::experiments
