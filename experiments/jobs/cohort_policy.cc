#include "experiments/jobs/cohort_policy.h"

#include <fmt/format.h>

#include "experiments/result/labels.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {

PolicyFile cohort_policy(Workshop& workshop, const DataSet& data_set, const CohortData& data,
                         Archetype archetype, const Method& method, const Effort& effort,
                         std::uint64_t cohort) {
  return cohort_policy(workshop, data_set, data, archetype, method,
                       effort.schedule(method, data_set.learning_rate, cohort),
                       effort.population(cohort));
}

PolicyFile cohort_policy(Workshop& workshop, const DataSet& data_set, const CohortData& data,
                         Archetype archetype, const Method& method, const train::Schedule& schedule,
                         const Population& population) {
  const std::string lesson =
      fmt::format("{} {} {} cohort seed {}", data_set.hash, name_of(population.protocol),
                  name_of(archetype), population.seed);
  return workshop.policy(training_settings(method, lesson, schedule), [&] {
    return train_method(method,
                        {data_set.training, data_set.validation, data.seen().contexts,
                         data.training_answers, data.validation_answers},
                        schedule);
  });
}

std::optional<Roster> seats_of(const PolicyFile& file, const CohortData& data,
                               const ExpertGroup& group) {
  if (!PolicySource::from_file(file, {}).method().needs.known_experts) return group.roster;
  if (group.name == kOod) return {};
  return Roster{data.seen().roster.names, group.roster.profiles};
}

}  // namespace ifd::experiments
