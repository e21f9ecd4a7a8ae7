// ImageNet-16H, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_imagenet16h(Document& document, const SectionView& view);

}  // namespace ifd::experiments
