// How often the classifier alone is right.
#pragma once

#include "ifd/data/predictions.h"

namespace ifd {

// The share of cases whose most probable class is the label. Needs labels; NaN without cases.
double accuracy(const Predictions& labelled);

}  // namespace ifd
