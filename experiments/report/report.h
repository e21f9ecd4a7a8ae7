// The report of a run: a page, tables, figures and numbers as files.
#pragma once

#include <vector>

#include "experiments/report/document.h"
#include "experiments/report/run_record.h"
#include "experiments/report/section.h"

namespace ifd::experiments {

// report.html, results.md, results.csv, results.json, table1.tex and figures/*.svg, with these
// sections in this order. Works with whatever part of the experiments was run and says what was
// not. The same run gives the same bytes.
std::vector<NamedFile> report_files(const RunRecord& run, const std::vector<Section>& sections);

}  // namespace ifd::experiments
