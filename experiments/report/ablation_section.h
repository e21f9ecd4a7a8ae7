// The ablation of what weighs a deferral in the loss, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_ablation(Document& document, const SectionView& view);

}  // namespace ifd::experiments
