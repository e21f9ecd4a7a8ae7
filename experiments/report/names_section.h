// What the names of groups, measures and methods mean.
#pragma once

#include "experiments/claims/summary.h"
#include "experiments/report/document.h"
#include "experiments/report/run_record.h"

namespace ifd::experiments {

void write_names(Document& document, const RunRecord& run, const Summary& summary);

}  // namespace ifd::experiments
