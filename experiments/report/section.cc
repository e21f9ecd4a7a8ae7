#include "experiments/report/section.h"

#include <algorithm>
#include <string>
#include <vector>

#include "command_line/shell_command.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {

bool begin_section(Document& document, const SectionView& view) {
  const bool measured = view.summary.has({.experiment = view.experiment});
  const bool asked = std::ranges::count(view.run.selected, view.experiment) > 0;
  const auto reach = measured || asked ? Document::Reach::kEverywhere : Document::Reach::kPageOnly;
  document.section(view.title, view.experiment.text(), reach);
  if (measured) return true;
  document.paragraph(asked
                         ? "Not measured: its data was not there, or its jobs failed (see the end "
                           "of the report)."
                         : "Not part of this run.",
                     reach);
  return false;
}

std::vector<std::string> rows_for_the_page() {
  return {kPopQiPerm.text(), kPopQcPerm.text(), kPeakRule.text(), kRandom.text()};
}

std::string command_for(const RunRecord& run, const ExperimentName& experiment) {
  std::vector<std::string> words;
  bool selecting = false;  // what follows --only names experiments
  for (const std::string& word : run.command) {
    if (word.starts_with("-")) selecting = word == "--only";
    if (!selecting && !word.starts_with("--only=")) words.push_back(word);
  }
  words.insert(words.end(), {"--only", experiment.text()});
  return shell_command(words);
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
