// Experiment 2, the paper's Table 1 on simulated experts, with the invariance certificate
// (experiment 7) of every policy it trains.
#include <fmt/format.h>

#include <array>

#include "experiments/jobs/invariance.h"
#include "experiments/jobs/measure.h"
#include "experiments/jobs/plan.h"
#include "ifd/data/accuracy.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/untrained.h"

namespace ifd::experiments {
namespace {

constexpr std::array<const char*, 8> kTrained = {"pop-qc",       "pop-qc-perm",  "pop-qi",
                                                 "pop-qi-perm",  "ifd-residual", "ifd-peak",
                                                 "ifd-expected", "multi-expert"};
// Relabellings are tried on so many test cases: margins are exact or they are not.
constexpr std::size_t kInvarianceCases = 200;

ResultRow where_of(const Study& study, Archetype archetype, std::size_t cohort) {
  ResultRow row;
  row.experiment = "table1";
  row.data = study.name;
  row.experts = name_of(archetype);
  row.cohort = static_cast<int>(cohort);
  return row;
}

void append(std::vector<ResultRow>& to, std::vector<ResultRow> rows) {
  to.insert(to.end(), rows.begin(), rows.end());
}

JobResult run_trained(Workshop& workshop, const Study& study, Archetype archetype,
                      const Method& method, const Effort& effort, std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const CohortData data = make_cohort_data(study, archetype, seed);
  const PolicyFile file = cohort_policy(workshop, study, data, archetype, method, effort, cohort);
  JobResult result;
  ResultRow where = where_of(study, archetype, cohort);
  where.method = method.name;
  for (const ExpertGroup& group : data.groups) {
    where.group = group.name;
    // A fixed-expert method knows nobody else; who follows a seen expert in the same specialty
    // takes over the seat.
    const bool fixed = method.training.experts == train::Experts::kThoseOfTraining;
    if (fixed && group.name == "ood") continue;
    const Roster roster{fixed ? data.seen().roster.names : group.roster.names,
                        group.roster.profiles};
    append(result.rows, area_rows(
                            where,
                            [&](MarginScale scale) {
                              PolicyMaterials materials{roster, scale};
                              materials.contexts = group.contexts;
                              materials.context_predictions = &group.context_predictions;
                              return make_policy(file, materials);
                            },
                            study.test, group.answers, seed));
    if (group.name != "seen" && !fixed) {
      std::vector<std::size_t> rows(std::min(kInvarianceCases, study.test.size()));
      for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
      append(result.rows, invariance_rows(where, file, study.test.subset(rows), group,
                                          effort.relabellings, seed));
    }
  }
  where.group = "";
  append(result.rows, training_rows(where, file));
  return result;
}

JobResult run_untrained(const Study& study, Archetype archetype, const Effort& effort,
                        std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const CohortData data = make_cohort_data(study, archetype, seed);
  JobResult result;
  ResultRow where = where_of(study, archetype, cohort);
  const Predictions by_validation =
      calibrated(study.test, fit_calibration(study.validation, CalibrationKind::kBias));
  for (const ExpertGroup& group : data.groups) {
    where.group = group.name;
    const TrueAccuracies truth = true_accuracies(study.space, study.test, group.experts);
    const auto add = [&](const std::string& name, const std::string& policy,
                         const Predictions& cases) {
      where.method = name;
      append(result.rows, area_rows(
                              where,
                              [&](MarginScale scale) {
                                PolicyMaterials materials{group.roster, scale};
                                materials.seed = seed;
                                materials.answers = &group.answers;
                                materials.accuracies = truth.values;
                                return make_policy(policy, materials);
                              },
                              cases, group.answers, seed));
    };
    for (const char* policy :
         {"plug-in", "peak-rule", "confidence", "random", "ceiling", "oracle"}) {
      add(policy, policy, study.test);
    }
    add("plug-in-calibrated", "plug-in", by_validation);
    add("plug-in-context-calibrated", "plug-in",
        calibrated(study.test, fit_calibration(group.context_predictions, CalibrationKind::kBias)));
    where.method = "model";
    result.rows.push_back(row_of(where, "accuracy", accuracy(study.test)));
  }
  where.group = "";
  where.method = "plug-in";
  std::size_t answers = 0;
  for (const ExpertContext& context : data.seen().contexts) answers += context.rows.size();
  result.rows.push_back(row_of(where, "annotations", static_cast<double>(answers)));
  return result;
}

}  // namespace

std::vector<Job> table1_jobs(const Study& study, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    for (std::size_t cohort = 0; cohort < effort.cohorts; ++cohort) {
      const auto add = [&](const std::string& method, double weight, auto run) {
        jobs.push_back(
            {fmt::format("table1/{}/{}/{}/cohort-{}", study.name, name_of(archetype), method,
                         cohort),
             fmt::format("{} {} relabellings {}", study.hash, effort.text(), effort.relabellings),
             weight, std::move(run)});
      };
      for (const char* name : kTrained) {
        add(name, std::string(name) == "multi-expert" ? 1 : 10,
            [&study, archetype, method = method_named(name), effort, cohort](Workshop& workshop) {
              return run_trained(workshop, study, archetype, method, effort, cohort);
            });
      }
      add("untrained", 0.5, [&study, archetype, effort, cohort](Workshop&) {
        return run_untrained(study, archetype, effort, cohort);
      });
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
