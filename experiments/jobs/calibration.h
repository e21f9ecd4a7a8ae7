// What a calibration gives, by the cases that it is fitted on: cases that the classifier was
// trained on or others, balanced or as they come, few or many. Methods that were trained beside the
// raw classifier are given the same calibrated one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/job.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {

// Labelled cases to fit on. Draws among the validation cases are keyed by the group's name.
Predictions cases_to_fit_on(FittedOn cases, const DataSet& data_set, const ExpertGroup& group,
                            std::uint64_t seed);

std::vector<Job> calibration_jobs(const DataSet& data_set, const Effort& effort);

}  // namespace ifd::experiments
