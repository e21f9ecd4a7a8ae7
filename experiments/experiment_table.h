// The experiments: the one list of what is run, on what data, and how it is reported.
//
// A new experiment brings its jobs (experiments/jobs), its section (experiments/report) and a row
// here. Names for --only, the data gathered, the jobs planned and the order of the report follow.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "experiments/jobs/annotators.h"
#include "experiments/jobs/data_set.h"
#include "experiments/jobs/effort.h"
#include "experiments/jobs/image_data_set.h"
#include "experiments/jobs/job.h"
#include "experiments/jobs/sleep_scorers.h"
#include "experiments/report/section.h"
#include "experiments/result/cell.h"

namespace ifd::experiments {

// What an experiment's jobs need.
struct OnNothing {  // but what they make themselves
  std::vector<Job> (*jobs)(const Effort& effort);
};
struct OnDataSets {
  std::vector<Job> (*jobs)(const DataSet& data_set, const Effort& effort);
  std::vector<DataName> only = {};  // these data sets; empty: all there are
  std::size_t folds = 0;            // of the out-of-fold predictions it needs; 0: none

  bool takes(const DataName& name) const {
    return only.empty() || std::find(only.begin(), only.end(), name) != only.end();
  }
};
// Images whose classifier goes on learning: those of which we have the paper's network.
struct OnImages {
  std::vector<Job> (*jobs)(const PretrainedImages& images, const Effort& effort);
};
struct OnPeople {
  std::vector<Job> (*jobs)(const RealAnnotators& people, const Effort& effort);
};
struct OnScorers {
  std::vector<Job> (*jobs)(const SleepScorers& scorers, const Effort& effort);
};
// It has no jobs of its own: those of another experiment measure it.
struct MeasuredBy {
  ExperimentName experiment;
};
using Work = std::variant<OnNothing, OnDataSets, OnImages, OnPeople, OnScorers, MeasuredBy>;

// Whether an experiment is part of a run that asks for none in particular.
enum class Runs { kAlways, kWhenNamed };

struct Experiment {
  ExperimentName name;      // as in --only
  std::string title;        // in words
  std::vector<Work> works;  // several where its jobs run on data of several kinds
  SectionWriter write;      // its section of the report
  Runs runs = Runs::kAlways;
};

// The first work of this kind; null where there is none.
template <class Kind>
const Kind* work_of(const Experiment& experiment) {
  for (const Work& work : experiment.works) {
    if (const auto* found = std::get_if<Kind>(&work)) return found;
  }
  return nullptr;
}

// In the order of the report.
const std::vector<Experiment>& experiments();

// All names, in that order.
std::vector<ExperimentName> experiment_names();
// Those that run this way.
std::vector<ExperimentName> experiment_names(Runs runs);
// All sections, in that order.
std::vector<Section> experiment_sections();

// The experiments whose jobs must run to measure these, in that order.
std::vector<Experiment> experiments_to_run(const std::vector<ExperimentName>& wanted);

}  // namespace ifd::experiments
