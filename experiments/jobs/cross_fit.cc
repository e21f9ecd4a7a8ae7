#include "experiments/jobs/cross_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>
#include <utility>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/measure.h"
#include "experiments/result/labels.h"
#include "ifd/data/accuracy.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

constexpr Archetype kCrossFitArchetype = Archetype::kVariable;
constexpr std::array<const char*, 3> kTrainedBothWays = {"ifd-peak", "ifd-expected",
                                                         "ifd-residual"};

// The data set as it is, or with out-of-fold predictions of the training cases.
struct Way {
  const DataSet& data_set;
  Setting name;
};

std::array<Way, 2> both_ways(const DataSet& data_set) {
  return {{{data_set, kInSample}, {*data_set.out_of_fold, kOutOfFold}}};
}

ResultRow cross_fit_row(const DataSet& data_set, std::size_t cohort) {
  ResultRow row;
  row.experiment = kCrossFit;
  row.data = data_set.name;
  row.experts = name_of(kCrossFitArchetype);
  row.scale = kProbability;
  row.cohort = static_cast<int>(cohort);
  return row;
}

void add_areas(JobResult& result, const ResultRow& where, const DeferralPolicy& policy,
               const Predictions& cases, const ExpertGroup& group, std::uint64_t seed) {
  const Replay replayed = replay(policy, cases, group.answers, ScoringOptions{seed, 1, {}});
  const auto rows = curve_rows(where, replayed, cases);
  result.rows.insert(result.rows.end(), rows.begin(), rows.end());
}

double mean_confidence(const Predictions& cases) {
  double sum = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto p = cases.probabilities(i);
    sum += static_cast<double>(*std::max_element(p.begin(), p.end()));
  }
  return sum / static_cast<double>(cases.size());
}

PolicyMaterials cross_fit_materials(const ExpertGroup& group) {
  PolicyMaterials materials{group.roster};
  materials.contexts = group.contexts;
  materials.context_predictions = &group.context_predictions;
  return materials;
}

JobResult run_trained_both_ways(Workshop& workshop, const DataSet& data_set, const Method& method,
                                const Effort& effort, std::size_t cohort) {
  const Population population = effort.population(cohort);
  JobResult result;
  for (const Way& way : both_ways(data_set)) {
    const CohortData data = make_cohort_data(way.data_set, kCrossFitArchetype, population);
    const PolicyFile file =
        cohort_policy(workshop, way.data_set, data, kCrossFitArchetype, method, effort, cohort);
    ResultRow where = cross_fit_row(data_set, cohort);
    where.method = MethodName(method.name);
    where.setting = way.name;
    for (const ExpertGroup& group : data.unseen()) {
      where.group = group.name;
      add_areas(result, where, *make_policy(file, cross_fit_materials(group)), data_set.test, group,
                population.seed);
    }
  }
  return result;
}

// Plug-in reads no prediction of a training case, except where a temperature is fitted on the
// context's.
JobResult run_untrained_both_ways(const DataSet& data_set, const Population& population,
                                  std::size_t cohort) {
  JobResult result;
  // How sure the classifier is of these cases, and how sure it may be.
  const auto add_model = [&](const Setting& setting, const Predictions& cases) {
    ResultRow where = cross_fit_row(data_set, cohort);
    where.method = kModel;
    where.setting = setting;
    result.rows.push_back(row_of(where, kAccuracy, accuracy(cases)));
    result.rows.push_back(row_of(where, kMeanConfidence, mean_confidence(cases)));
    result.rows.push_back(row_of(where, kLogLoss, calibration_quality(cases).log_loss));
  };
  for (const Way& way : both_ways(data_set)) {
    const CohortData data = make_cohort_data(way.data_set, kCrossFitArchetype, population);
    ResultRow where = cross_fit_row(data_set, cohort);
    for (const ExpertGroup& group : data.unseen()) {
      where.group = group.name;
      const auto add = [&](const MethodName& method, const Setting& setting,
                           const Predictions& cases) {
        where.method = method;
        where.setting = setting;
        add_areas(result, where, *make_policy("plug-in", cross_fit_materials(group)), cases, group,
                  population.seed);
      };
      add(kPlugInTemperature, way.name,
          calibrated(data_set.test,
                     fit_calibration(group.context_predictions, CalibrationKind::kTemperature)));
      if (way.name == kInSample) add(kPlugIn, {}, data_set.test);
    }
    add_model(way.name, way.data_set.training);
  }
  add_model({}, data_set.test);
  return result;
}

}  // namespace

std::vector<Job> cross_fit_jobs(const DataSet& data_set, const Effort& effort) {
  assert(data_set.out_of_fold != nullptr);
  std::vector<Job> jobs;
  for (std::size_t cohort = 0; cohort < effort.scaling_cohorts; ++cohort) {
    const auto add = [&](const std::string& method, double weight, auto work) {
      jobs.push_back({fmt::format("cross-fit/{}/{}/{}/cohort-{}", data_set.name,
                                  name_of(kCrossFitArchetype), method, cohort),
                      fmt::format("{} out of fold {} {}", data_set.hash, data_set.out_of_fold->hash,
                                  effort.text()),
                      weight, std::move(work)});
    };
    for (const char* name : kTrainedBothWays) {
      add(name, 20, [&data_set, method = effort.method(name), effort, cohort](Workshop& workshop) {
        return run_trained_both_ways(workshop, data_set, method, effort, cohort);
      });
    }
    add("untrained", 0.5, [&data_set, population = effort.population(cohort), cohort](Workshop&) {
      return run_untrained_both_ways(data_set, population, cohort);
    });
  }
  return jobs;
}

}  // namespace ifd::experiments
