#include "experiments/jobs/toy.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/measure.h"
#include "experiments/jobs/methods.h"
#include "experiments/jobs/rings_data_set.h"
#include "experiments/jobs/workshop.h"
#include "experiments/result/labels.h"
#include "ifd/evaluation/replay.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/routing/budget.h"

namespace ifd::experiments {
namespace {

constexpr double kSpecialty = 0.90;
constexpr double kElsewhere = 0.50;
constexpr double kBudget = 0.30;  // of kAtBudget
constexpr std::array<const char*, 6> kTrainedOnToy = {"pop-qi",   "pop-qc",       "pop-qi-perm",
                                                      "ifd-peak", "ifd-expected", "ifd-residual"};

SimulatedExpert specialist_of(const std::string& name, std::size_t specialty) {
  std::vector<double> accuracies(3, kElsewhere);
  accuracies[specialty] = kSpecialty;
  return class_conditional(name, accuracies);
}

std::optional<PolicyFile> trained_policy(const std::string& method_name, const DataSet& data_set,
                                         const ExpertGroup& seen, const Effort& effort,
                                         std::size_t cohort) {
  if (method_name == kPlugIn.text()) return {};
  const auto answers = [&](const Predictions& cases, const char* split) {
    return simulate_answers(data_set.space, cases, seen.experts, {effort.seed + cohort, split});
  };
  const Method method = effort.method(method_name);
  return train_method(
      method,
      {data_set.training, data_set.validation, seen.contexts, answers(data_set.training, "train"),
       answers(data_set.validation, "validation")},
      effort.schedule(method, data_set.learning_rate, cohort));
}

// How deferrals at `threshold` spread over the classes.
void add_shares(JobResult& result, ResultRow where, const DataSet& data_set,
                const MarginTable& margins, double threshold) {
  std::array<std::size_t, 3> of_class = {};
  std::array<std::size_t, 3> deferred = {};
  for (std::size_t i = 0; i < data_set.test.size(); ++i) {
    const std::size_t k = index(data_set.test.label(i));
    ++of_class[k];
    deferred[k] += margins.margin[i] >= threshold ? 1 : 0;
  }
  const std::size_t all = deferred[0] + deferred[1] + deferred[2];
  for (std::size_t k = 0; k < 3; ++k) {
    where.x = static_cast<double>(k);
    result.rows.push_back(
        row_of(where, kShareOfClassDeferred,
               static_cast<double>(deferred[k]) / static_cast<double>(of_class[k])));
    if (all > 0) {
      result.rows.push_back(row_of(where, kShareOfDeferredInClass,
                                   static_cast<double>(deferred[k]) / static_cast<double>(all)));
    }
  }
}

// Where the test cases lie and which are deferred at threshold 0.
void add_points(JobResult& result, const RingsDataSet& rings, const std::string& panel,
                const MarginTable& margins) {
  for (std::size_t i = 0; i < rings.test_points.size(); ++i) {
    result.points.push_back({panel, rings.test_points[i][0], rings.test_points[i][1],
                             static_cast<int>(index(rings.data_set.test.label(i))),
                             margins.margin[i] >= 0.0});
  }
}

JobResult run(const Effort& effort, const std::string& method_name, std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const RingsDataSet rings = rings_data_set(seed);
  const DataSet& data_set = rings.data_set;
  const auto group_of = [&](const GroupName& name, const SimulatedExpert& expert) {
    return make_group(data_set, name, {effort.population(cohort).in_luck(expert)}, kContextPerClass,
                      seed);
  };
  const auto file = trained_policy(method_name, data_set,
                                   group_of(kSeen, specialist_of("teacher", 0)), effort, cohort);
  JobResult result;
  for (const ExpertGroup& group :
       {group_of(kId, specialist_of("ann", 0)), group_of(kOod, specialist_of("cleo", 2))}) {
    ResultRow where;
    where.experiment = kToy;
    where.data = kRingsData;
    where.group = group.name;
    where.method = MethodName(method_name);
    where.cohort = static_cast<int>(cohort);
    where.scale = kProbability;
    PolicyMaterials materials{group.roster};
    materials.contexts = group.contexts;
    materials.context_predictions = &group.context_predictions;
    const auto policy = file ? make_policy(*file, materials) : make_policy("plug-in", materials);
    const Replay replayed = replay(*policy, data_set.test, group.answers, {seed, 1});
    result.rows.push_back(row_of(where, kAursac, replayed.curve().aursac()));
    where.setting = kAtThreshold;
    add_shares(result, where, data_set, replayed.margins, 0);
    if (cohort == 0) {
      add_points(result, rings, fmt::format("{}/{}", method_name, group.name), replayed.margins);
    }
    where.setting = kAtBudget;
    add_shares(result, where, data_set, replayed.margins,
               threshold_for_budget(replayed.margins.margin, kBudget));
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
    for (const char* method : kTrainedOnToy) add(method);
    add("plug-in");
  }
  return jobs;
}

}  // namespace ifd::experiments
