// The people of ImageNet-16H as they are, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_people(Document& document, const SectionView& view);

}  // namespace ifd::experiments
