// What combined answers gain over final ones, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_combined(Document& document, const SectionView& view);

}  // namespace ifd::experiments
