// The report of a run: a page, tables, figures and numbers as files.
#pragma once

#include <vector>

#include "experiments/report/document.h"
#include "experiments/report/run_record.h"

namespace ifd::experiments {

// report.html, results.md, results.csv, results.json, table1.tex and figures/*.svg. Works with
// whatever part of the study was run and says what was not. The same run gives the same bytes.
std::vector<NamedFile> study_report(const StudyRun& run);

}  // namespace ifd::experiments
