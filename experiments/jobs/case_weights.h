// How often each case counts in the resamples that every job of a study shares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/result/cell.h"
#include "ifd/data/predictions.h"

namespace ifd::experiments {

inline constexpr std::size_t kCaseResamples = 200;

// Poisson(1) weights, one for each case: a function of the data set's name, the case's name and the
// number of the resample, so that a case counts equally often for all methods, cohorts and groups,
// also where they leave out different cases. At least one is positive.
std::vector<std::uint32_t> case_weights(const DataName& data, const Predictions& cases,
                                        std::size_t resample);

}  // namespace ifd::experiments
