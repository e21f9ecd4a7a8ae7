// Classifiers that learn together with what decides, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_joint(Document& document, const SectionView& view);

}  // namespace ifd::experiments
