// What renaming classes does, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_invariance(Document& document, const SectionView& view);

}  // namespace ifd::experiments
