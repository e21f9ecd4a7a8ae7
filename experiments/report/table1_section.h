// Table 1, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_table1(Document& document, const SectionView& view);

}  // namespace ifd::experiments
