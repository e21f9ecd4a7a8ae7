#include "experiments/jobs/cohort_policy.h"

#include <fmt/format.h>

namespace ifd::experiments {

PolicyFile cohort_policy(Workshop& workshop, const DataSet& data_set, const CohortData& data,
                         Archetype archetype, const Method& method, const Effort& effort,
                         std::uint64_t cohort) {
  const train::Schedule schedule = effort.schedule(method, data_set.learning_rate, cohort);
  const std::string lesson =
      fmt::format("{} {} {} cohort seed {}", data_set.hash, name_of(effort.protocol),
                  name_of(archetype), effort.seed + cohort);
  return workshop.policy(training_settings(method, lesson, schedule), [&] {
    return train_method(method,
                        {data_set.training, data_set.validation, data.seen().contexts,
                         data.training_answers, data.validation_answers},
                        schedule);
  });
}

}  // namespace ifd::experiments
