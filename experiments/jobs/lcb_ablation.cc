#include "experiments/jobs/lcb_ablation.h"

#include <fmt/format.h>

#include <array>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

constexpr std::array<const char*, 3> kVariants = {"ifd-peak-lcb", "ifd-peak-mean",
                                                  "ifd-peak-binary"};

JobResult run(Workshop& workshop, const DataSet& data_set, Archetype archetype,
              const Method& method, const Effort& effort, std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const CohortData data = make_cohort_data(data_set, archetype, effort.population(cohort));
  const PolicyFile file =
      cohort_policy(workshop, data_set, data, archetype, method, effort, cohort);
  JobResult result;
  ResultRow where;
  where.experiment = kAblation;
  where.data = data_set.name;
  where.experts = name_of(archetype);
  where.method = MethodName(method.name);
  where.cohort = static_cast<int>(cohort);
  for (const ExpertGroup& group : data.groups) {
    where.group = group.name;
    const auto rows = area_rows(
        where,
        [&](MarginScale scale) {
          return make_policy(file, PolicyMaterials{group.roster, scale});
        },
        data_set.test, group.answers, seed);
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }
  return result;
}

}  // namespace

std::vector<Job> lcb_jobs(const DataSet& all, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    for (std::size_t cohort = 0; cohort < effort.ablation_seeds; ++cohort) {
      const DataSet& data_set = all.of_cohort(cohort);
      for (const char* name : kVariants) {
        jobs.push_back(
            {fmt::format("lcb/{}/{}/{}/seed-{}", data_set.name, name_of(archetype), name, cohort),
             fmt::format("{} {}", data_set.hash, effort.text()), 10,
             [&data_set, archetype, method = effort.method(name), effort,
              cohort](Workshop& workshop) {
               return run(workshop, data_set, archetype, method, effort, cohort);
             }});
      }
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
