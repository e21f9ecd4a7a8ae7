#include "experiments/jobs/plan.h"

#include <fmt/format.h>

namespace ifd::experiments {

train::Schedule Effort::schedule(const Method& method, double learning_rate,
                                 std::uint64_t cohort) const {
  train::Schedule schedule;
  schedule.epochs = epochs * method.stretch.epochs;
  schedule.patience = patience * method.stretch.patience;
  schedule.learning_rate = learning_rate;
  schedule.seed = seed + cohort;
  schedule.threads = 1;
  return schedule;
}

std::string Effort::text() const {
  return fmt::format("epochs {} patience {} seed {}", epochs, patience, seed);
}

Effort quick_effort() {
  Effort effort;
  effort.cohorts = 2;
  effort.ablation_seeds = 1;
  effort.scaling_cohorts = 1;
  effort.prior_repeats = 3;
  effort.largest_context = 240;
  effort.relabellings = 3;
  effort.epochs = 8;
  effort.patience = 8;
  return effort;
}

PolicyFile cohort_policy(Workshop& workshop, const Study& study, const CohortData& data,
                         Archetype archetype, const Method& method, const Effort& effort,
                         std::uint64_t cohort) {
  const train::Schedule schedule = effort.schedule(method, study.learning_rate, cohort);
  const std::string lesson =
      fmt::format("{} {} cohort seed {}", study.hash, name_of(archetype), effort.seed + cohort);
  return workshop.policy(training_settings(method, lesson, schedule), [&] {
    return train_method(method,
                        {study.training, study.validation, data.seen().contexts,
                         data.training_answers, data.validation_answers},
                        schedule);
  });
}

const std::vector<Experiment>& experiments() {
  static const std::vector<Experiment> all = {
      {"toy", "Three rings: do deferrals follow the expert's specialty?"},
      {"table1", "Table 1: seen, unseen and out-of-distribution experts"},
      {"imagenet16h", "ImageNet-16H: real people, noisier and noisier pictures"},
      {"lcb", "Ablation: what weighs a deferral in the loss"},
      {"context", "More answers at test time"},
      {"priors", "Right, empty and wrong priors"},
      {"invariance", "Renaming classes: the certificate"},
      {"beyond", "Beyond the paper"},
  };
  return all;
}

}  // namespace ifd::experiments
