// Where the time went, and what the numbers were made from.
#pragma once

#include "experiments/report/document.h"
#include "experiments/report/run_record.h"

namespace ifd::experiments {

void write_time(Document& document, const RunRecord& run);
// Data, hashes, failed jobs, how to run it again.
void write_provenance(Document& document, const RunRecord& run);

}  // namespace ifd::experiments
