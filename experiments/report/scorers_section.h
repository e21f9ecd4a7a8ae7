// The sleep scorers of DOD-H, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_scorers(Document& document, const SectionView& view);

}  // namespace ifd::experiments
