// Few answers at test time, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_small_contexts(Document& document, const SectionView& view);

}  // namespace ifd::experiments
