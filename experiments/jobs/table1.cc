#include "experiments/jobs/table1.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/invariance.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/data/accuracy.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/untrained.h"

namespace ifd::experiments {
namespace {

constexpr std::array<const char*, 8> kTrainedInTable1 = {"pop-qc",       "pop-qc-perm",  "pop-qi",
                                                         "pop-qi-perm",  "ifd-residual", "ifd-peak",
                                                         "ifd-expected", "multi-expert"};
// Relabellings are tried on so many test cases: margins are exact or they are not.
constexpr std::size_t kInvarianceCases = 200;

ResultRow where_of(const DataSet& data_set, Archetype archetype, std::size_t cohort) {
  ResultRow row;
  row.experiment = kTable1;
  row.data = data_set.name;
  row.experts = name_of(archetype);
  row.cohort = static_cast<int>(cohort);
  return row;
}

void append(std::vector<ResultRow>& to, std::vector<ResultRow> rows) {
  to.insert(to.end(), rows.begin(), rows.end());
}

JobResult run_trained(Workshop& workshop, const DataSet& data_set, Archetype archetype,
                      const Method& method, const Effort& effort, std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const CohortData data = make_cohort_data(data_set, archetype, effort.population(cohort));
  const PolicyFile file =
      cohort_policy(workshop, data_set, data, archetype, method, effort, cohort);
  JobResult result;
  ResultRow where = where_of(data_set, archetype, cohort);
  where.method = MethodName(method.name);
  const bool fixed = PolicySource::from_file(file, {}).method().needs.known_experts;
  for (const ExpertGroup& group : data.groups) {
    where.group = group.name;
    const auto roster = seats_of(file, data, group);
    if (!roster) continue;
    append(result.rows, area_rows(
                            where,
                            [&](MarginScale scale) {
                              PolicyMaterials materials{*roster, scale};
                              materials.contexts = group.contexts;
                              materials.context_predictions = &group.context_predictions;
                              return make_policy(file, materials);
                            },
                            data_set.test, group.answers, seed));
    if (group.name != kSeen && !fixed) {
      std::vector<std::size_t> rows(std::min(kInvarianceCases, data_set.test.size()));
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
      append(result.rows, invariance_rows(where, file, data_set.test.subset(rows), group,
                                          effort.relabellings, seed));
    }
  }
  where.group = {};
  append(result.rows, training_rows(where, file));
  return result;
}

JobResult run_untrained(const DataSet& data_set, Archetype archetype, const Effort& effort,
                        std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const CohortData data = make_cohort_data(data_set, archetype, effort.population(cohort));
  JobResult result;
  ResultRow where = where_of(data_set, archetype, cohort);
  for (const ExpertGroup& group : data.groups) {
    where.group = group.name;
    const TrueAccuracies truth = true_accuracies(data_set.space, data_set.test, group.experts);
    for (const char* policy :
         {"plug-in", "peak-rule", "confidence", "conformal", "random", "ceiling", "oracle"}) {
      where.method = MethodName(policy);
      append(result.rows, area_rows(
                              where,
                              [&](MarginScale scale) {
                                PolicyMaterials materials{group.roster, scale};
                                materials.seed = seed;
                                materials.answers = &group.answers;
                                materials.accuracies = truth.values;
                                materials.contexts = group.contexts;
                                materials.context_predictions = &group.context_predictions;
                                return make_policy(policy, materials);
                              },
                              data_set.test, group.answers, seed));
    }
    where.method = kModel;
    result.rows.push_back(row_of(where, kAccuracy, accuracy(data_set.test)));
  }
  where.group = {};
  where.method = kPlugIn;
  std::size_t answers = 0;
  for (const ExpertContext& context : data.seen().contexts) answers += context.rows.size();
  result.rows.push_back(row_of(where, kAnnotations, static_cast<double>(answers)));
  return result;
}

}  // namespace

std::vector<Job> table1_jobs(const DataSet& all, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    for (std::size_t cohort = 0; cohort < effort.cohorts; ++cohort) {
      const DataSet& data_set = all.of_cohort(cohort);
      const auto add = [&](const std::string& method, double weight, auto run) {
        jobs.push_back({fmt::format("table1/{}/{}/{}/cohort-{}", data_set.name, name_of(archetype),
                                    method, cohort),
                        fmt::format("{} {} relabellings {}", data_set.hash, effort.text(),
                                    effort.relabellings),
                        weight, std::move(run)});
      };
      for (const char* name : kTrainedInTable1) {
        // They train for twice as long as anything else.
        if (std::string_view(name).ends_with("-perm") && cohort >= effort.scaling_cohorts) continue;
        add(name, std::string(name) == "multi-expert" ? 1 : 10,
            [&data_set, archetype, method = effort.method(name), effort,
             cohort](Workshop& workshop) {
              return run_trained(workshop, data_set, archetype, method, effort, cohort);
            });
      }
      add("untrained", 0.5, [&data_set, archetype, effort, cohort](Workshop&) {
        return run_untrained(data_set, archetype, effort, cohort);
      });
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
