// Where the time went, and what the numbers were made from.
#pragma once

#include <vector>

#include "experiments/report/document.h"
#include "experiments/report/run_record.h"
#include "experiments/report/section.h"

namespace ifd::experiments {

void write_time(Document& document, const RunRecord& run);
// Data, hashes, failed jobs, how to run it again.
void write_provenance(Document& document, const RunRecord& run,
                      const std::vector<Section>& sections);

}  // namespace ifd::experiments
