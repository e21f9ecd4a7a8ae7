#include "experiments/report/section.h"

#include <algorithm>
#include <sstream>

namespace ifd::experiments {

bool begin_section(Document& document, const SectionView& view) {
  document.section(view.title, view.experiment.text());
  if (view.summary.has({.experiment = view.experiment})) return true;
  const auto& selected = view.run.selected;
  const bool asked = std::find(selected.begin(), selected.end(), view.experiment) != selected.end();
  document.paragraph(asked
                         ? "Not measured: its data was not there, or its jobs failed (see the end "
                           "of the report)."
                         : "Not part of this run.");
  return false;
}

std::string command_for(const RunRecord& run, const ExperimentName& experiment) {
  std::istringstream words(run.command);
  std::string out, word;
  bool skip = false;
  while (words >> word) {
    if (skip || word.starts_with("--only")) {
      skip = !skip && word == "--only";
      continue;
    }
    out += (out.empty() ? "" : " ") + word;
  }
  return out + " --only " + experiment.text();
}

void write_rerun(Document& document, const SectionView& view, const ExperimentName& experiment,
                 const std::string& example_job) {
  document.paragraph(
      {plain("This experiment alone: "), inline_code(command_for(view.run, experiment)),
       plain(
           ". Finished jobs are found and not run again; for one cell, remove its file (such as "),
       inline_code("cache/results/" + example_job + ".json"),
       plain(" in the output folder) and run the command.")},
      Document::Reach::kPageOnly);
}

}  // namespace ifd::experiments
