#include "experiments/jobs/context_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

constexpr std::array<std::size_t, 3> kTrainingSizes = {10, 25, 50};
constexpr std::array<std::size_t, 8> kTestSizes = {15, 30, 60, 120, 240, 480, 960, 1920};

// `total` training cases, as evenly over the classes as can be; larger sets hold the smaller ones.
// A class that has too few gives all it has.
std::vector<std::size_t> context_rows(const Predictions& training, std::size_t total,
                                      const Key& key) {
  const std::size_t classes = training.classes().size();
  std::vector<std::vector<std::pair<double, std::size_t>>> by_class(classes);
  for (std::size_t i = 0; i < training.size(); ++i) {
    by_class[index(training.label(i))].emplace_back(key.with(training.case_name(i)).uniform(), i);
  }
  for (auto& cases : by_class) std::sort(cases.begin(), cases.end());
  std::vector<std::pair<double, std::size_t>> turn(classes);  // who gives first in a round
  for (std::size_t k = 0; k < classes; ++k) turn[k] = {key.with("class").with(k).uniform(), k};
  std::sort(turn.begin(), turn.end());
  std::vector<std::size_t> rows;
  for (std::size_t round = 0; rows.size() < total && round < training.size(); ++round) {
    for (const auto& [draw, k] : turn) {
      if (rows.size() < total && round < by_class[k].size()) {
        rows.push_back(by_class[k][round].second);
      }
    }
  }
  return rows;
}

ExpertGroup group_with(const DataSet& data_set, const ExpertGroup& group, std::size_t total,
                       std::uint64_t seed) {
  const auto rows =
      context_rows(data_set.training, total, Key(seed).with("scaling").with(group.name.text()));
  ExpertGroup other = group;
  other.context_predictions = data_set.training.subset(rows);
  std::vector<std::size_t> all(rows.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  other.contexts = contexts_from_answers(
      simulate_answers(data_set.space, other.context_predictions, group.experts, {seed, "train"}),
      other.context_predictions, all);
  other.roster = make_roster(other.contexts, data_set.training.classes().size());
  return other;
}

// `file` is null for the plug-in rule, which is not trained.
JobResult run(const DataSet& data_set, const CohortData& data, const PolicyFile* file,
              const ResultRow& base, const Effort& effort, std::uint64_t seed) {
  JobResult result;
  for (const ExpertGroup& unseen : data.unseen()) {
    for (const std::size_t total : kTestSizes) {
      if (total > effort.largest_context) break;
      const ExpertGroup group = group_with(data_set, unseen, total, seed);
      ResultRow where = base;
      where.group = group.name;
      where.scale = kProbability;
      where.x = static_cast<double>(total);
      PolicyMaterials materials{group.roster};
      materials.contexts = group.contexts;
      materials.context_predictions = &group.context_predictions;
      const auto policy =
          file != nullptr ? make_policy(*file, materials) : make_policy("plug-in", materials);
      const Replay replayed =
          replay(*policy, data_set.test, group.answers, ScoringOptions{seed, 1, {}});
      const auto rows = curve_rows(where, replayed, data_set.test);
      result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    }
  }
  return result;
}

}  // namespace

std::vector<Job> context_jobs(const DataSet& all, const Effort& effort) {
  constexpr Archetype kArchetype = Archetype::kVariable;
  std::vector<Job> jobs;
  for (std::size_t cohort = 0; cohort < effort.scaling_cohorts; ++cohort) {
    const DataSet& data_set = all.of_cohort(cohort);
    ResultRow base;
    base.experiment = kContextScaling;
    base.data = data_set.name;
    base.experts = name_of(kArchetype);
    base.cohort = static_cast<int>(cohort);
    const auto add = [&](const std::string& method, const std::string& setting, double weight,
                         auto work) {
      jobs.push_back({fmt::format("context/{}/{}/{}{}/cohort-{}", data_set.name, base.experts,
                                  method, setting.empty() ? "" : "-" + setting, cohort),
                      fmt::format("{} {} largest context {}", data_set.hash, effort.text(),
                                  effort.largest_context),
                      weight, std::move(work)});
    };
    for (const char* name : {"ifd-peak", "pop-qi", "pop-qc"}) {
      for (const std::size_t size : kTrainingSizes) {
        Method method = effort.method(name);
        method.settings.set("context_size", size);
        base.method = MethodName(name);
        base.setting = trained_with(size);
        add(name, std::to_string(size), 12,
            [&data_set, base, method, effort, cohort](Workshop& workshop) {
              const CohortData data =
                  make_cohort_data(data_set, kArchetype, effort.population(cohort));
              const PolicyFile file =
                  cohort_policy(workshop, data_set, data, kArchetype, method, effort, cohort);
              return run(data_set, data, &file, base, effort, effort.seed + cohort);
            });
      }
    }
    base.method = kPlugIn;
    base.setting = {};
    add("plug-in", "", 0.5, [&data_set, base, effort, cohort](Workshop&) {
      const CohortData data = make_cohort_data(data_set, kArchetype, effort.population(cohort));
      return run(data_set, data, nullptr, base, effort, effort.seed + cohort);
    });
  }
  return jobs;
}

}  // namespace ifd::experiments
