#include "experiments/jobs/imagenet16h.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <variant>

#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/measure.h"
#include "experiments/jobs/methods.h"
#include "experiments/jobs/people_on_duty.h"
#include "experiments/jobs/workshop.h"
#include "experiments/result/labels.h"
#include "ifd/data/accuracy.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

constexpr double kLearningRate = 1e-3;
constexpr std::array<double, 3> kSweptLow = {0.20, 0.60, 0.80};
constexpr double kValidationShare = 0.2;
constexpr std::array<const char*, 8> kTrainedOnImages = {
    "ifd-peak", "ifd-expected", "ifd-residual", "pop-qi",
    "pop-qc",   "pop-qi-perm",  "pop-qc-perm",  "multi-expert"};

// The images of the training and the validation at noise 80, where every expert answered.
struct Split {
  std::vector<std::size_t> training, validation;
};

Split split_images(const Predictions& all, const AnswerTable& answers, const Key& key) {
  Split split;
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool complete = true;
    for (std::size_t j = 0; j < answers.experts(); ++j)
      complete &= !answers.at(case_id(i), expert_id(j)).is_missing();
    if (!complete) continue;
    const bool validation = key.with(all.case_name(i)).uniform() < kValidationShare;
    (validation ? split.validation : split.training).push_back(i);
  }
  return split;
}

ResultRow where_of(CohortSize size, std::size_t cohort) {
  ResultRow row;
  row.experiment = kImageNet16H;
  row.data = kImageNet16HData;
  row.experts = size == CohortSize::kTwo ? kTwoPeople : kFourPeople;
  row.cohort = static_cast<int>(cohort);
  return row;
}

// What decides: a policy by its name, or the one in a file.
using Decider = std::variant<std::string, const PolicyFile*>;

std::unique_ptr<DeferralPolicy> policy_of(const Decider& decider,
                                          const PolicyMaterials& materials) {
  const auto* file = std::get_if<const PolicyFile*>(&decider);
  return file != nullptr ? make_policy(**file, materials)
                         : make_policy(std::get<std::string>(decider), materials);
}

bool knows_only_its_own_experts(const Decider& decider) {
  const auto* file = std::get_if<const PolicyFile*>(&decider);
  return file != nullptr && (*file)->method == "multi-expert";
}

// Rows of one policy for all groups and noise levels. `where` tells everything but these two.
void measure(JobResult& result, ResultRow where, const Duty& duty, const Decider& decider,
             CalibrationKind calibration = CalibrationKind::kNone) {
  for (const PoolSide side : {PoolSide::kInDistribution, PoolSide::kOutOfDistribution}) {
    where.group = group_of(side);
    if (where.group == kOod && knows_only_its_own_experts(decider)) continue;
    const auto answers = duty.answers(side);
    for (std::size_t level = 1; level < std::size(kNoiseLevels); ++level) {
      const int noise = kNoiseLevels[level];
      const PeopleScene scene = people_scene(duty, side, level, answers[level].answers);
      const Calibration fitted = fit_calibration(scene.context_predictions, calibration);
      const Predictions cases = calibrated(scene.cases, fitted);
      where.setting = duty.low == kLowTarget ? at_noise(noise) : at_low_and_noise(duty.low, noise);
      const auto rows = area_rows(
          where,
          [&](MarginScale scale) {
            PolicyMaterials materials{scene.roster, scale};
            materials.seed = duty.seed;
            materials.answers = &scene.answers;
            materials.contexts = scene.contexts;
            materials.context_predictions = &scene.context_predictions;
            return policy_of(decider, materials);
          },
          cases, scene.answers, duty.seed);
      result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    }
  }
}

// What the sampling made of its targets.
void add_sampled_accuracies(JobResult& result, ResultRow where, const Duty& duty) {
  const auto share = [](std::size_t right, std::size_t images) {
    return static_cast<double>(right) / static_cast<double>(images);
  };
  where.method = kPeople;
  for (const PoolSide side : {PoolSide::kInDistribution, PoolSide::kOutOfDistribution}) {
    where.group = group_of(side);
    for (const SampledAnswers& at : duty.answers(side)) {
      where.setting = at_noise(at.noise);
      std::size_t right[2] = {0, 0};
      std::size_t images[2] = {0, 0};
      for (const SampledExpert& expert : at.experts) {
        right[0] += expert.specialty.correct;
        images[0] += expert.specialty.images;
        right[1] += expert.elsewhere.correct;
        images[1] += expert.elsewhere.images;
      }
      result.rows.push_back(row_of(where, kAccuracyOnSpecialty, share(right[0], images[0])));
      result.rows.push_back(row_of(where, kAccuracyElsewhere, share(right[1], images[1])));
    }
  }
}

JobResult run_untrained(const RealAnnotators& people, CohortSize size, const Effort& effort,
                        std::size_t cohort) {
  const Duty duty{people, size, kLowTarget, effort.seed + cohort};
  JobResult result;
  const auto add = [&](const MethodName& name, const Duty& on, const std::string& policy,
                       CalibrationKind calibration) {
    ResultRow where = where_of(size, cohort);
    where.method = name;
    measure(result, where, on, policy, calibration);
  };
  for (const char* policy :
       {"plug-in", "peak-rule", "confidence", "conformal", "random", "oracle"}) {
    add(MethodName(policy), duty, policy, CalibrationKind::kNone);
  }
  add(kPlugInTemperature, duty, "plug-in", CalibrationKind::kTemperature);
  add(kPlugInContextCalibrated, duty, "plug-in", CalibrationKind::kBias);
  for (const double low : kSweptLow) {
    for (const char* policy : {"plug-in", "peak-rule"}) {
      add(MethodName(policy), {people, size, low, duty.seed}, policy, CalibrationKind::kNone);
    }
  }
  add_sampled_accuracies(result, where_of(size, cohort), duty);
  return result;
}

JobResult run_trained(Workshop& workshop, const RealAnnotators& people, CohortSize size,
                      const Method& method, const Effort& effort, std::size_t cohort) {
  const Duty duty{people, size, kLowTarget, effort.seed + cohort};
  const Predictions& all = people.predictions.front();
  const train::Schedule schedule = effort.schedule(method, kLearningRate, cohort);
  ResultRow where = where_of(size, cohort);
  where.method = MethodName(method.name);
  const std::string lesson =
      fmt::format("{} {} cohort seed {}", people.hash, where.experts, duty.seed);
  const PolicyFile file = workshop.policy(training_settings(method, lesson, schedule), [&] {
    const auto by_noise = duty.answers(PoolSide::kInDistribution);
    const AnswerTable& answers = by_noise.front().answers;
    const Split split = split_images(all, answers, Key(duty.seed).with("split"));
    const Predictions training = all.subset(split.training);
    const Predictions validation = all.subset(split.validation);
    const AnswerTable training_answers = answers.subset(split.training);
    const auto contexts = contexts_from_answers(
        training_answers, training,
        sample_context_rows(training, kContextPerClass, Key(duty.seed).with("context")));
    return train_method(
        method,
        {training, validation, contexts, training_answers, answers.subset(split.validation)},
        schedule);
  });
  JobResult result;
  measure(result, where, duty, &file);
  return result;
}

// How alike people are, how good, and whom the filter dropped.
JobResult run_people(const RealAnnotators& people) {
  JobResult result;
  ResultRow where;
  where.experiment = kImageNet16H;
  where.data = kImageNet16HData;
  where.method = kPeople;
  result.rows.push_back(row_of(where, kFingerprintCorrelation, people.correlation));
  result.rows.push_back(
      row_of(where, kPeopleCount, static_cast<double>(people.kept + people.dropped)));
  result.rows.push_back(row_of(where, kPeopleDropped, static_cast<double>(people.dropped)));
  for (std::size_t level = 0; level < std::size(kNoiseLevels); ++level) {
    where.setting = at_noise(kNoiseLevels[level]);
    result.rows.push_back(row_of(where, kPeopleAccuracy, people.accuracy_by_noise[level]));
    result.rows.push_back(row_of(where, kModelAccuracy, accuracy(people.predictions[level])));
  }
  return result;
}

}  // namespace

std::vector<Job> imagenet16h_jobs(const RealAnnotators& people, const Effort& effort) {
  std::vector<Job> jobs;
  jobs.push_back({"imagenet16h/people", people.hash, 0.1,
                  [&people](Workshop&) { return run_people(people); }});
  for (const CohortSize size : {CohortSize::kTwo, CohortSize::kFour}) {
    for (std::size_t cohort = 0; cohort < effort.cohorts; ++cohort) {
      const auto add = [&](const std::string& method, double weight, auto work) {
        jobs.push_back({fmt::format("imagenet16h/{}/{}/cohort-{}",
                                    size == CohortSize::kTwo ? "two" : "four", method, cohort),
                        fmt::format("{} {}", people.hash, effort.text()), weight, std::move(work)});
      };
      for (const char* name : kTrainedOnImages) {
        add(name, 2,
            [&people, size, method = effort.method(name), effort, cohort](Workshop& workshop) {
              return run_trained(workshop, people, size, method, effort, cohort);
            });
      }
      add("untrained", 0.5, [&people, size, effort, cohort](Workshop&) {
        return run_untrained(people, size, effort, cohort);
      });
    }
  }
  return jobs;
}

}  // namespace ifd::experiments
