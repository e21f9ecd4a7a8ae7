#include "experiments/jobs/calibration.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "experiments/jobs/cohort_policy.h"
#include "experiments/jobs/measure.h"
#include "ifd/data/accuracy.h"
#include "ifd/evaluation/replay.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

// All rows in an order that is keyed by the cases' names.
std::vector<std::size_t> rows_in_drawn_order(const Predictions& labelled, const Key& key) {
  std::vector<std::pair<std::uint64_t, std::size_t>> drawn;
  for (std::size_t row = 0; row < labelled.size(); ++row) {
    drawn.emplace_back(key.with(labelled.case_name(row)).bits(), row);
  }
  std::ranges::sort(drawn);
  std::vector<std::size_t> rows;
  for (const auto& [bits, row] : drawn) rows.push_back(row);
  return rows;
}

// The first of each class in the order of the draw, all where there are fewer.
std::vector<std::size_t> balanced_rows(const Predictions& labelled, const Key& key) {
  std::vector<std::size_t> taken(labelled.classes().size(), 0);
  std::vector<std::size_t> rows;
  for (const std::size_t row : rows_in_drawn_order(labelled, key)) {
    if (taken[index(labelled.label(row))]++ < kContextPerClass) rows.push_back(row);
  }
  return rows;
}

std::vector<std::size_t> cases_by_class(const Predictions& labelled) {
  std::vector<std::size_t> count(labelled.classes().size(), 0);
  for (const ClassId label : labelled.labels()) ++count[index(label)];
  return count;
}

// The cases, each repeated so that classes are as frequent as in `natural`, in so many times as
// many rows that the rarest class is not rounded away.
Predictions weighed(const Predictions& cases, const Predictions& natural) {
  constexpr double kTimes = 20;
  const auto present = cases_by_class(cases), wanted = cases_by_class(natural);
  Predictions::Parts parts{cases.classes(), {}, {}, {}, {}};
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::size_t k = index(cases.label(i));
    const double share = static_cast<double>(wanted[k]) / static_cast<double>(natural.size());
    const auto repeats = std::lround(kTimes * static_cast<double>(cases.size()) * share /
                                     static_cast<double>(present[k]));
    for (long r = 0; r < repeats; ++r) {
      const auto p = cases.probabilities(i);
      parts.cases.push_back(fmt::format("{} {}", cases.case_name(i), r));
      parts.probabilities.insert(parts.probabilities.end(), p.begin(), p.end());
      parts.labels.push_back(cases.label(i));
    }
  }
  return Predictions(std::move(parts));
}

// Policies of Table 1, by their names there.
using TrainedPolicies = std::vector<std::pair<MethodName, PolicyFile>>;

// What is measured of one group of experts; `where` tells who they are.
class AtHome {
 public:
  AtHome(const DataSet& data_set, const ExpertGroup& group, const TrainedPolicies& trained,
         std::uint64_t seed, ResultRow where)
      : data_set_(data_set),
        group_(group),
        trained_(trained),
        seed_(seed),
        where_(std::move(where)) {}

  void measure(JobResult& result) const {
    add_classifier(result, kRaw, {});
    for (const FittedOn on : kFittedOn) {
      const Predictions labelled = cases_to_fit_on(on, data_set_, group_, seed_);
      add_classifier(result, fitted(GivenClassifier::kTemperature, on),
                     fit_calibration(labelled, CalibrationKind::kTemperature));
      const Calibration bias = fit_calibration(labelled, CalibrationKind::kBias);
      add_classifier(result, fitted(GivenClassifier::kBias, on), bias);
      const Predictions cases = calibrated(data_set_.test, bias);
      add(result, kPlugIn, fitted(GivenClassifier::kBiasForAnswers, on),
          with_answers_of(cases, replayed("plug-in", data_set_.test, group_.context_predictions)),
          cases);
    }
  }

 private:
  void add_classifier(JobResult& result, const Setting& setting,
                      const Calibration& calibration) const {
    const bool raw = calibration == Calibration();
    const Predictions cases = raw ? data_set_.test : calibrated(data_set_.test, calibration);
    const Predictions context =
        raw ? group_.context_predictions : calibrated(group_.context_predictions, calibration);
    for (const MethodName& method : {kPlugIn, kConfidence}) {
      add(result, method, setting, replayed(method.text(), cases, context), cases);
    }
    for (const auto& [method, file] : trained_) {
      add(result, method, setting, replayed(file, cases, context), cases);
    }
    ResultRow model = where_;
    model.method = kModel;
    model.setting = setting;
    const CalibrationQuality quality = calibration_quality(cases);
    result.rows.push_back(row_of(model, kAccuracy, accuracy(cases)));
    result.rows.push_back(row_of(model, kLogLoss, quality.log_loss));
    result.rows.push_back(row_of(model, kCalibrationError, quality.expected_calibration_error));
  }

  // By a policy's name or file.
  template <class Policy>
  Replay replayed(const Policy& policy, const Predictions& cases,
                  const Predictions& context) const {
    PolicyMaterials materials{group_.roster};
    materials.contexts = group_.contexts;
    materials.context_predictions = &context;
    return replay(*make_policy(policy, materials), cases, group_.answers,
                  ScoringOptions{seed_, 1, {}});
  }

  void add(JobResult& result, const MethodName& method, const Setting& setting,
           const Replay& replayed, const Predictions& cases) const {
    static const std::array<MeasureName, 4> kResampled = {kAursac, kAursacTo10, kAursacTo30,
                                                          kModelAlone};
    ResultRow row = where_;
    row.method = method;
    row.setting = setting;
    row.scale = kProbability;
    auto rows = brief_rows(row, replayed, cases, kResampled);
    // The others stand beside plug-in over all budgets only.
    if (method != kPlugIn) {
      std::erase_if(rows, [](const ResultRow& told) { return told.measure != kAursac; });
    }
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }

  const DataSet& data_set_;
  const ExpertGroup& group_;
  const TrainedPolicies& trained_;
  std::uint64_t seed_;
  ResultRow where_;
};

JobResult run_calibrations(Workshop& workshop, const DataSet& data_set, Archetype archetype,
                           const Effort& effort, std::size_t cohort) {
  const CohortData data = make_cohort_data(data_set, archetype, effort.population(cohort));
  TrainedPolicies trained;
  for (const MethodName& method : {kIfdPeak, kPopQi}) {
    trained.emplace_back(method, cohort_policy(workshop, data_set, data, archetype,
                                               effort.method(method.text()), effort, cohort));
  }
  JobResult result;
  ResultRow where;
  where.experiment = kCalibration;
  where.data = data_set.name;
  where.experts = name_of(archetype);
  where.cohort = static_cast<int>(cohort);
  for (const ExpertGroup& group : data.unseen()) {
    where.group = group.name;
    AtHome(data_set, group, trained, effort.seed + cohort, where).measure(result);
  }
  return result;
}

}  // namespace

Predictions cases_to_fit_on(FittedOn cases, const DataSet& data_set, const ExpertGroup& group,
                            std::uint64_t seed) {
  const Predictions& validation = data_set.validation;
  const Key key = Key(seed).with("calibration").with(group.name.text());
  switch (cases) {
    case FittedOn::kContext:
      return group.context_predictions;
    case FittedOn::kWeighedContext:
      return weighed(group.context_predictions, data_set.training);
    case FittedOn::kAll:
      return validation;
    case FittedOn::kBalanced:
      return validation.subset(balanced_rows(validation, key));
    case FittedOn::kWeighedBalanced:
      return weighed(validation.subset(balanced_rows(validation, key)), data_set.training);
    case FittedOn::kNatural: {
      // Another draw than the balanced one, but of its size.
      auto rows = rows_in_drawn_order(validation, key.with("natural"));
      rows.resize(balanced_rows(validation, key).size());
      return validation.subset(rows);
    }
  }
  return validation;
}

std::vector<Job> calibration_jobs(const DataSet& all, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    for (std::size_t cohort = 0; cohort < effort.cohorts; ++cohort) {
      const DataSet& data_set = all.of_cohort(cohort);
      jobs.push_back(
          {fmt::format("calibration/{}/{}/cohort-{}", data_set.name, name_of(archetype), cohort),
           fmt::format("{} {}", data_set.hash, effort.text()), 0.5,
           [&data_set, archetype, effort, cohort](Workshop& workshop) {
             return run_calibrations(workshop, data_set, archetype, effort, cohort);
           }});
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
