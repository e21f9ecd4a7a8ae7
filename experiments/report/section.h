// A part of the report about one experiment.
#pragma once

#include <string>
#include <vector>

#include "experiments/claims/summary.h"
#include "experiments/report/document.h"
#include "experiments/report/run_record.h"

namespace ifd::experiments {

// All that a section may read.
struct SectionView {
  const RunRecord& run;
  const Summary& summary;
  ExperimentName experiment;
  std::string title;
};

// Writes the section of one experiment; a line that says why where nothing was measured.
using SectionWriter = void (*)(Document& document, const SectionView& view);

struct Section {
  ExperimentName experiment;
  std::string title;
  SectionWriter write;
};

// A section's head. False, after a line that says why, where the experiment gave no numbers.
bool begin_section(Document& document, const SectionView& view);
// Methods whose rows help a reader of the summary least, for Document::table: L2D-Pop under random
// names, the rule that ifd-peak learns, and chance.
std::vector<std::string> rows_for_the_page();
// The command and the cached result of one cell. `experiment` is the one whose jobs measure it.
void write_rerun(Document& document, const SectionView& view, const ExperimentName& experiment,
                 const std::string& example_job);
// The command that runs this experiment alone, from the command of the run.
std::string command_for(const RunRecord& run, const ExperimentName& experiment);

}  // namespace ifd::experiments
