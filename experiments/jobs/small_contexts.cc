#include "experiments/jobs/small_contexts.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <utility>

#include "experiments/jobs/answering.h"
#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

constexpr std::array<std::size_t, 6> kAnswersPerClass = {1, 2, 3, 5, 10, 15};
// Multi-Expert is not among them: it reads no context.
constexpr std::array<const char*, 7> kTrainedBefore = {
    "ifd-peak", "ifd-expected", "ifd-residual", "pop-qi", "pop-qc", "pop-qi-perm", "pop-qc-perm"};

// Everything one job measures: a cohort, whatever the method.
struct SmallContexts {
  const DataSet& data_set;
  Archetype archetype;
  Population population;
  ResultRow where;

  CohortData cohort_data() const { return make_cohort_data(data_set, archetype, population); }

  // Calls measure(group, where) for every unseen group and number of answers.
  template <class Measure>
  void each(const CohortData& data, Measure measure) const {
    for (const ExpertGroup& unseen : data.unseen()) {
      for (const std::size_t per_class : kAnswersPerClass) {
        ResultRow here = where;
        here.group = unseen.name;
        here.x = static_cast<double>(per_class);
        measure(make_group(data_set, unseen.name, unseen.experts, per_class, population.seed),
                here);
      }
    }
  }

  void add(JobResult& result, const ExpertGroup& group, const ResultRow& here,
           const DeferralPolicy& policy) const {
    add(result, here,
        replay(policy, data_set.test, group.answers, ScoringOptions{population.seed, 1, {}}));
  }

  void add(JobResult& result, const ResultRow& here, const Replay& replayed) const {
    for (ResultRow& area : curve_rows(here, replayed, data_set.test)) {
      // There are thousands of them: only the area over all budgets keeps its resamples.
      if (area.measure != kAursac) area.replicates.clear();
      result.rows.push_back(std::move(area));
    }
  }
};

PolicyMaterials few_materials(const ExpertGroup& group, const Roster& roster) {
  PolicyMaterials materials{roster};
  materials.contexts = group.contexts;
  materials.context_predictions = &group.context_predictions;
  return materials;
}

JobResult run_untrained_on_few(const SmallContexts& of) {
  const CohortData data = of.cohort_data();
  JobResult result;
  of.each(data, [&](const ExpertGroup& group, ResultRow here) {
    for (const MethodName& method : {kPlugIn, kPeakRule, kConfidence, kConformal}) {
      here.method = method;
      of.add(result, group, here, *make_policy(method.text(), few_materials(group, group.roster)));
    }
    const Roster by_staff = make_roster(group.contexts, of.data_set.test.classes().size(), {},
                                        PriorOnly::kLeftOut, UnstatedPriors::kStaff);
    here.method = kPlugInStaffPrior;
    of.add(result, group, here, *make_policy("plug-in", few_materials(group, by_staff)));
    here.method = kStaffPriorCombined;
    of.add(result, here,
           answered(Answering::kCombined, by_staff, of.data_set.test, group.answers,
                    of.population.seed));
  });
  return result;
}

JobResult run_trained_on_few(Workshop& workshop, const SmallContexts& of, const Method& method,
                             const Effort& effort, std::size_t cohort) {
  const CohortData data = of.cohort_data();
  const PolicyFile file =
      cohort_policy(workshop, of.data_set, data, of.archetype, method, effort, cohort);
  JobResult result;
  of.each(data, [&](const ExpertGroup& group, ResultRow here) {
    here.method = MethodName(method.name);
    of.add(result, group, here, *make_policy(file, few_materials(group, group.roster)));
  });
  return result;
}

}  // namespace

std::vector<Job> small_context_jobs(const DataSet& all, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    for (std::size_t cohort = 0; cohort < effort.scaling_cohorts; ++cohort) {
      const DataSet& data_set = all.of_cohort(cohort);
      SmallContexts of{data_set, archetype, effort.population(cohort), {}};
      of.where.experiment = kSmallContexts;
      of.where.data = data_set.name;
      of.where.experts = name_of(archetype);
      of.where.scale = kProbability;
      of.where.cohort = static_cast<int>(cohort);
      const auto add = [&](const std::string& method, double weight, auto work) {
        jobs.push_back({fmt::format("small-contexts/{}/{}/{}/cohort-{}", data_set.name,
                                    of.where.experts, method, cohort),
                        fmt::format("{} {}", data_set.hash, effort.text()), weight,
                        std::move(work)});
      };
      for (const char* name : kTrainedBefore) {
        add(name, 10, [of, method = effort.method(name), effort, cohort](Workshop& workshop) {
          return run_trained_on_few(workshop, of, method, effort, cohort);
        });
      }
      add("untrained", 0.5, [of](Workshop&) { return run_untrained_on_few(of); });
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
