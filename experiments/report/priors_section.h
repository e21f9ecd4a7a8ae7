// Right, empty and wrong priors, in the report.
#pragma once

#include "experiments/report/section.h"

namespace ifd::experiments {

void write_priors(Document& document, const SectionView& view);

}  // namespace ifd::experiments
