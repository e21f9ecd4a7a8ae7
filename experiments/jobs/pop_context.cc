#include "experiments/jobs/pop_context.h"

#include <fmt/format.h>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/evaluation/replay.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

JobResult run_both_contexts(Workshop& workshop, const DataSet& data_set, Archetype archetype,
                            const MethodName& method, const Effort& effort, std::size_t cohort) {
  const Population population = effort.population(cohort);
  const CohortData data = make_cohort_data(data_set, archetype, population);
  ResultRow where;
  where.experiment = kPopContext;
  where.data = data_set.name;
  where.experts = name_of(archetype);
  where.method = method;
  where.scale = kProbability;
  where.cohort = static_cast<int>(cohort);
  JobResult result;
  for (const PopContext from : {PopContext::kAllCases, PopContext::kPool}) {
    where.setting = from == PopContext::kPool ? kPoolContexts : kAllCasesContexts;
    const PolicyFile file = cohort_policy(workshop, data_set, data, archetype,
                                          method_named(method.text(), from), effort, cohort);
    for (const ExpertGroup& group : data.groups) {
      where.group = group.name;
      PolicyMaterials materials{group.roster};
      materials.contexts = group.contexts;
      materials.context_predictions = &group.context_predictions;
      const Replay replayed = replay(*make_policy(file, materials), data_set.test, group.answers,
                                     ScoringOptions{population.seed, 1, {}});
      const auto rows = curve_rows(where, replayed, data_set.test);
      result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    }
  }
  return result;
}

}  // namespace

std::vector<Job> pop_context_jobs(const DataSet& all, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    for (std::size_t cohort = 0; cohort < effort.scaling_cohorts; ++cohort) {
      const DataSet& data_set = all.of_cohort(cohort);
      for (const MethodName& method : {kPopQi, kPopQc}) {
        jobs.push_back({fmt::format("pop-context/{}/{}/{}/cohort-{}", data_set.name,
                                    name_of(archetype), method, cohort),
                        fmt::format("{} {}", data_set.hash, effort.text()), 20,
                        [&data_set, archetype, method, effort, cohort](Workshop& workshop) {
                          return run_both_contexts(workshop, data_set, archetype, method, effort,
                                                   cohort);
                        }});
      }
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
