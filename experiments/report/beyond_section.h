// What the paper leaves open, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_beyond(Document& document, const SectionView& view);

}  // namespace ifd::experiments
