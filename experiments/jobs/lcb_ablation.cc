// Experiment 4: the weight of a deferral in the loss, full (lower confidence bound), mean or
// binary, against the classifier alone.
#include <fmt/format.h>

#include <array>

#include "experiments/jobs/measure.h"
#include "experiments/jobs/plan.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

constexpr std::array<const char*, 3> kVariants = {"ifd-peak-lcb", "ifd-peak-mean",
                                                  "ifd-peak-binary"};

JobResult run(Workshop& workshop, const Study& study, Archetype archetype, const Method& method,
              const Effort& effort, std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const CohortData data = make_cohort_data(study, archetype, seed);
  const PolicyFile file = cohort_policy(workshop, study, data, archetype, method, effort, cohort);
  JobResult result;
  ResultRow where;
  where.experiment = "lcb";
  where.data = study.name;
  where.experts = name_of(archetype);
  where.method = method.name;
  where.cohort = static_cast<int>(cohort);
  for (const ExpertGroup& group : data.groups) {
    where.group = group.name;
    const auto rows = area_rows(
        where,
        [&](MarginScale scale) {
          return make_policy(file, PolicyMaterials{group.roster, scale});
        },
        study.test, group.answers, seed);
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }
  return result;
}

}  // namespace

std::vector<Job> lcb_jobs(const Study& study, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    for (std::size_t cohort = 0; cohort < effort.ablation_seeds; ++cohort) {
      for (const char* name : kVariants) {
        jobs.push_back(
            {fmt::format("lcb/{}/{}/{}/seed-{}", study.name, name_of(archetype), name, cohort),
             fmt::format("{} {}", study.hash, effort.text()), 10,
             [&study, archetype, method = method_named(name), effort, cohort](Workshop& workshop) {
               return run(workshop, study, archetype, method, effort, cohort);
             }});
      }
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
