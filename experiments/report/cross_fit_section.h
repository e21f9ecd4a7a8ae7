// Learning from out-of-fold predictions, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_cross_fit(Document& document, const SectionView& view);

}  // namespace ifd::experiments
