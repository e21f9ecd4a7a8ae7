// Large rosters, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_rosters(Document& document, const SectionView& view);

}  // namespace ifd::experiments
