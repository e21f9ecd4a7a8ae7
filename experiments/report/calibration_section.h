// Calibrating the classifier, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_calibration(Document& document, const SectionView& view);

}  // namespace ifd::experiments
