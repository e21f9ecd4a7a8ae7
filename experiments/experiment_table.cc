#include "experiments/experiment_table.h"

#include <algorithm>

#include "experiments/jobs/beyond.h"
#include "experiments/jobs/calibration.h"
#include "experiments/jobs/combined.h"
#include "experiments/jobs/context_scaling.h"
#include "experiments/jobs/cross_fit.h"
#include "experiments/jobs/imagenet16h.h"
#include "experiments/jobs/joint.h"
#include "experiments/jobs/lcb_ablation.h"
#include "experiments/jobs/people.h"
#include "experiments/jobs/pop_context.h"
#include "experiments/jobs/priors.h"
#include "experiments/jobs/rosters.h"
#include "experiments/jobs/scorers.h"
#include "experiments/jobs/small_contexts.h"
#include "experiments/jobs/table1.h"
#include "experiments/jobs/toy.h"
#include "experiments/report/ablation_section.h"
#include "experiments/report/beyond_section.h"
#include "experiments/report/calibration_section.h"
#include "experiments/report/combined_section.h"
#include "experiments/report/context_section.h"
#include "experiments/report/cross_fit_section.h"
#include "experiments/report/imagenet16h_section.h"
#include "experiments/report/invariance_section.h"
#include "experiments/report/joint_section.h"
#include "experiments/report/people_section.h"
#include "experiments/report/pop_context_section.h"
#include "experiments/report/priors_section.h"
#include "experiments/report/rosters_section.h"
#include "experiments/report/scorers_section.h"
#include "experiments/report/small_contexts_section.h"
#include "experiments/report/table1_section.h"
#include "experiments/report/toy_section.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {

const std::vector<Experiment>& experiments() {
  static const DataName kBlood("blood"), kHam("ham");
  static const std::vector<Experiment> all = {
      {kToy,
       "Three rings: do deferrals follow the expert's specialty?",
       {OnNothing{toy_jobs}},
       write_toy},
      {kTable1,
       "Table 1: seen, unseen and out-of-distribution experts",
       {OnDataSets{table1_jobs}},
       write_table1},
      {kImageNet16H,
       "ImageNet-16H: real people, noisier and noisier pictures",
       {OnPeople{imagenet16h_jobs}},
       write_imagenet16h},
      {kAblation,
       "Ablation: what weighs a deferral in the loss",
       {OnDataSets{lcb_jobs}},
       write_ablation},
      {kContextScaling,
       "More answers at test time",
       {OnDataSets{context_jobs, {kBlood, kGeneratedData}}},
       write_context},
      {kSmallContexts,
       "Few answers at test time",
       {OnDataSets{small_context_jobs}},
       write_small_contexts},
      {kCrossFit,
       "Learning from what the classifier says of cases it never saw",
       {OnDataSets{cross_fit_jobs, {kBlood, kHam}, kCrossFitFolds}},
       write_cross_fit,
       Runs::kWhenNamed},
      {kPopContext,
       "L2D-Pop's training contexts: from all cases or from the pool",
       {OnDataSets{pop_context_jobs}},
       write_pop_context,
       Runs::kWhenNamed},
      {kPriors,
       "Right, empty and wrong priors",
       {OnDataSets{prior_jobs, {kHam, kGeneratedData}}},
       write_priors},
      {kInvariance, "Renaming classes: the certificate", {MeasuredBy{kTable1}}, write_invariance},
      {kBeyond, "Beyond the paper", {OnDataSets{beyond_jobs}}, write_beyond},
      {kRosters,
       "Large rosters: choosing the best of many",
       {OnDataSets{roster_jobs}},
       write_rosters},
      {kCombined,
       "Combined answers: model and expert make the label together",
       {OnDataSets{combined_jobs}, OnPeople{combined_people_jobs},
        OnScorers{combined_scorers_jobs}},
       write_combined},
      {kCalibration,
       "Calibrating the classifier: on which cases?",
       {OnDataSets{calibration_jobs}},
       write_calibration},
      {kPeopleAsTheyAre,
       "Real people as they are: leave-people-out on ImageNet-16H",
       {OnPeople{people_jobs}},
       write_people},
      {kScorers, "Real people: five sleep scorers", {OnScorers{scorers_jobs}}, write_scorers},
      {kJoint,
       "Classifier and rejector trained together",
       {OnImages{joint_jobs}},
       write_joint,
       Runs::kWhenNamed},
  };
  return all;
}

std::vector<ExperimentName> experiment_names() {
  std::vector<ExperimentName> names;
  for (const Experiment& experiment : experiments()) names.push_back(experiment.name);
  return names;
}

std::vector<ExperimentName> experiment_names(Runs runs) {
  std::vector<ExperimentName> names;
  for (const Experiment& experiment : experiments()) {
    if (experiment.runs == runs) names.push_back(experiment.name);
  }
  return names;
}

std::vector<Section> experiment_sections() {
  std::vector<Section> sections;
  for (const Experiment& experiment : experiments()) {
    sections.push_back({experiment.name, experiment.title, experiment.write});
  }
  return sections;
}

std::vector<Experiment> experiments_to_run(const std::vector<ExperimentName>& wanted) {
  const auto is_wanted = [&](const Experiment& experiment) {
    return std::find(wanted.begin(), wanted.end(), experiment.name) != wanted.end();
  };
  std::vector<Experiment> to_run;
  for (const Experiment& experiment : experiments()) {
    if (work_of<MeasuredBy>(experiment) != nullptr) continue;
    const bool measures_another =
        std::any_of(experiments().begin(), experiments().end(), [&](const Experiment& other) {
          const auto* by = work_of<MeasuredBy>(other);
          return by != nullptr && by->experiment == experiment.name && is_wanted(other);
        });
    if (is_wanted(experiment) || measures_another) to_run.push_back(experiment);
  }
  return to_run;
}

}  // namespace ifd::experiments
