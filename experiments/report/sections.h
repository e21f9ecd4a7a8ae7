// The parts of the report, one for each experiment. Each writes a line where nothing was measured.
#pragma once

#include <string>
#include <vector>

#include "experiments/claims/claims.h"
#include "experiments/claims/recommendation.h"
#include "experiments/claims/summary.h"
#include "experiments/report/document.h"
#include "experiments/report/run_record.h"

namespace ifd::experiments {

// All that a part may read.
struct StudyView {
  const StudyRun& run;
  const Summary& summary;
};

void write_claims(StudyDocument& document, const std::vector<Claim>& claims);
void write_recommendation(StudyDocument& document, const Recommendation& recommendation);
// Claims of the paper that do not hold everywhere, a paragraph each.
void write_contradictions(StudyDocument& document, const std::vector<Claim>& claims);
void write_toy(StudyDocument& document, const StudyView& view);
void write_table1(StudyDocument& document, const StudyView& view);
void write_imagenet16h(StudyDocument& document, const StudyView& view);
void write_ablation(StudyDocument& document, const StudyView& view);
void write_context(StudyDocument& document, const StudyView& view);
void write_priors(StudyDocument& document, const StudyView& view);
void write_invariance(StudyDocument& document, const StudyView& view);
void write_beyond(StudyDocument& document, const StudyView& view);
// Names, data, hashes, time, failed jobs, how to run it again.
void write_methods(StudyDocument& document, const StudyView& view);
void write_provenance(StudyDocument& document, const StudyView& view);

// A section's head. False, after a line that says why, where the experiment gave no numbers.
bool begin_experiment(StudyDocument& document, const StudyView& view, const std::string& experiment,
                      const std::string& title);
// The command that ran this experiment alone, from the command of the run.
std::string command_for(const StudyRun& run, const std::string& experiment);
// The command and the cached result of one cell.
void write_rerun(StudyDocument& document, const StudyView& view, const std::string& experiment,
                 const std::string& example_job);

// The means of a cell along x, with 95 % bands where there is more than one cohort. No points where
// nothing was measured.
Series series_along_x(const Summary& summary, Cell cell, const std::string& name);
// The mean at x; a series has a band only where every one of its points has an interval.
void add_point(Series& series, double x, const Mean& mean);
// Adds the series if it has points.
void add_series(LineChart& chart, Series series);
// A dot with the 95 % interval of the mean.
void add_dot(BarChart& chart, const std::string& name, const std::optional<Mean>& mean,
             Emphasis emphasis = Emphasis::kNormal);
// What dots and bands show.
std::string interval_note(std::size_t cohorts);

}  // namespace ifd::experiments
