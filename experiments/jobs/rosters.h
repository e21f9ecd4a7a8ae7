// Large rosters: 4 to 64 experts, each with luck of their own, so that another expert of the same
// specialty does add something. Does choosing the best of many noisy profiles hurt, and what helps?
//
// What the chosen promise (sum rho v, with the values v that the rule reads) minus what they keep
// (how often they are right) on the test cases, everything deferred, grows with the roster where
// luck in the context is taken for skill: the winner's curse. The same over all experts, nobody
// chosen, is what remains for profiles and classifier to answer for.
#pragma once

#include <cstddef>
#include <vector>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"
#include "experiments/jobs/workshop.h"

namespace ifd::experiments {

// Specialists in turn over all classes. All their luck is their own, under either protocol: where
// it is shared, nothing is left to be chosen from.
std::vector<SimulatedExpert> large_roster(std::size_t size, std::size_t classes,
                                          const Population& population);

std::vector<Job> roster_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
