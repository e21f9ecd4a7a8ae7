// Combined answers against final ones: plug-in with the expert's word as the label, with the label
// that model and expert make together, and that in the order of the value of information; with the
// classifier as it is and calibrated.
#pragma once

#include <vector>

#include "experiments/jobs/annotators.h"
#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"
#include "experiments/jobs/sleep_scorers.h"

namespace ifd::experiments {

// The jobs refer to the data, which must outlive them.
//
// Simulated experts of both kinds, unseen ones: a cohort each.
std::vector<Job> combined_jobs(const DataSet& data_set, const Effort& effort);
// Two people, at all four noise levels (x): a cohort each.
std::vector<Job> combined_people_jobs(const RealAnnotators& people, const Effort& effort);
// All pairs of scorers: a draw of the contexts each, which stands for the cohort. Means over the
// pairs with intervals over recordings, and the areas of each pair.
std::vector<Job> combined_scorers_jobs(const SleepScorers& scorers, const Effort& effort);

}  // namespace ifd::experiments
