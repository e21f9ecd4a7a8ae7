// Where the contexts of L2D-Pop's training come from, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_pop_context(Document& document, const SectionView& view);

}  // namespace ifd::experiments
