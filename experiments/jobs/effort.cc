#include "experiments/jobs/effort.h"

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

std::string Effort::protocol_words() const {
  return fmt::format("{}; contexts of L2D-Pop from {}", name_of(protocol),
                     pop_context == PopContext::kPool ? "the pool" : "all training cases");
}

train::Schedule Effort::joint_schedule(const Method& method, double learning_rate,
                                       std::uint64_t cohort) const {
  train::Schedule made =
      schedule(method, learning_rate * static_cast<double>(method.stretch.epochs), cohort);
  made.epochs = made.patience = joint_epochs;
  return made;
}

std::string Effort::joint_text() const {
  return fmt::format("{} joint epochs {} classifier's rate {}", text(), joint_epochs,
                     classifier_rate);
}

std::string Effort::text() const {
  return fmt::format("epochs {} patience {} seed {} protocol {}", epochs, patience, seed,
                     protocol_words());
}

std::string Effort::scorers_text() const {
  return fmt::format("pairs {} draws {} resamples {} seed {}", scorer_pairs, context_draws,
                     resamples, seed);
}

Effort quick_effort() {
  Effort effort;
  effort.cohorts = 2;
  effort.ablation_seeds = 1;
  effort.scaling_cohorts = 1;
  effort.prior_draws = 2;
  effort.largest_context = 240;
  effort.relabellings = 3;
  effort.scorer_pairs = 2;
  effort.context_draws = 1;
  effort.resamples = 100;
  effort.epochs = 8;
  effort.patience = 8;
  return effort;
}

}  // namespace ifd::experiments
