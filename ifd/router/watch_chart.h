// A watch as a picture: how the evidence of each expert grew, answer by answer.
#pragma once

#include <cstddef>

#include "ifd/report/line_chart.h"
#include "ifd/watch/watch.h"

namespace ifd {

inline constexpr std::size_t kMostExpertsDrawn = 8;
inline constexpr double kMostEvidenceDrawn = 6;  // and at least twice what an alarm takes

// log10 of 1 / p after so many new answers, p being the least of all tests of that expert, and the
// line from which on something is found. Of more experts, those with the most evidence are drawn.
LineChart watch_chart(const Watch& watch);

}  // namespace ifd
