// Experiment 1: three rings. One expert knows class 0 while the policies learn; at test time
// another one does (ID), or one who knows class 2 (OOD).
#include <fmt/format.h>

#include <array>
#include <optional>

#include "experiments/jobs/data_sets.h"
#include "experiments/jobs/measure.h"
#include "experiments/jobs/plan.h"
#include "ifd/evaluation/replay.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/routing/budget.h"

namespace ifd::experiments {
namespace {

constexpr double kSpecialty = 0.90;
constexpr double kElsewhere = 0.50;
constexpr double kBudget = 0.30;
constexpr std::array<const char*, 6> kTrained = {"pop-qi",   "pop-qc",       "pop-qi-perm",
                                                 "ifd-peak", "ifd-expected", "ifd-residual"};

SimulatedExpert specialist_of(const std::string& name, std::size_t specialty) {
  std::vector<double> accuracies(3, kElsewhere);
  accuracies[specialty] = kSpecialty;
  return class_conditional(name, accuracies);
}

JobResult run(const Effort& effort, const std::string& method_name, std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const RingsStudy rings = rings_study(seed);
  const Study& study = rings.study;
  const ExpertGroup seen =
      make_group(study, "seen", {specialist_of("teacher", 0)}, kContextPerClass, seed);
  std::vector<ExpertGroup> groups;
  groups.push_back(make_group(study, "id", {specialist_of("ann", 0)}, kContextPerClass, seed));
  groups.push_back(make_group(study, "ood", {specialist_of("cleo", 2)}, kContextPerClass, seed));

  std::optional<PolicyFile> file;
  if (method_name != "plug-in") {
    const auto answers = [&](const Predictions& cases, const char* split) {
      return simulate_answers(study.space, cases, seen.experts, {seed, split});
    };
    const Method method = method_named(method_name);
    file = train_method(method,
                        {study.training, study.validation, seen.contexts,
                         answers(study.training, "train"), answers(study.validation, "validation")},
                        effort.schedule(method, study.learning_rate, cohort));
  }
  JobResult result;
  for (const ExpertGroup& group : groups) {
    ResultRow where;
    where.experiment = "toy";
    where.data = "rings";
    where.group = group.name;
    where.method = method_name;
    where.cohort = static_cast<int>(cohort);
    where.scale = "probability";
    PolicyMaterials materials{group.roster};
    materials.contexts = group.contexts;
    materials.context_predictions = &group.context_predictions;
    const auto policy = file ? make_policy(*file, materials) : make_policy("plug-in", materials);
    const Replay replayed = replay(*policy, study.test, group.answers, {seed, 1});
    result.rows.push_back(row_of(where, "aursac", replayed.curve().aursac()));
    for (const bool by_budget : {false, true}) {
      const double threshold =
          by_budget ? threshold_for_budget(replayed.margins.margin, kBudget) : 0.0;
      where.setting = by_budget ? fmt::format("budget {}", kBudget) : "threshold 0";
      std::array<std::size_t, 3> of_class = {};
      std::array<std::size_t, 3> deferred = {};
      for (std::size_t i = 0; i < study.test.size(); ++i) {
        const std::size_t k = index(study.test.label(i));
        const bool defers = replayed.margins.margin[i] >= threshold;
        ++of_class[k];
        deferred[k] += defers ? 1 : 0;
        if (by_budget || cohort > 0) continue;
        result.points.push_back({method_name + "/" + group.name, rings.test_points[i][0],
                                 rings.test_points[i][1], static_cast<int>(k), defers});
      }
      const std::size_t all = deferred[0] + deferred[1] + deferred[2];
      for (std::size_t k = 0; k < 3; ++k) {
        where.x = static_cast<double>(k);
        result.rows.push_back(
            row_of(where, "share_of_class_deferred",
                   static_cast<double>(deferred[k]) / static_cast<double>(of_class[k])));
        if (all > 0) {
          result.rows.push_back(
              row_of(where, "share_of_deferred_in_class",
                     static_cast<double>(deferred[k]) / static_cast<double>(all)));
        }
      }
      where.x = 0;
    }
  }
  return result;
}

}  // namespace

std::vector<Job> toy_jobs(const Effort& effort) {
  std::vector<Job> jobs;
  for (std::size_t cohort = 0; cohort < effort.scaling_cohorts; ++cohort) {
    const auto add = [&](const std::string& method) {
      jobs.push_back({fmt::format("toy/{}/seed-{}", method, cohort), effort.text(), 1,
                      [effort, method, cohort](Workshop&) { return run(effort, method, cohort); }});
    };
    for (const char* method : kTrained) add(method);
    add("plug-in");
  }
  return jobs;
}

}  // namespace ifd::experiments
