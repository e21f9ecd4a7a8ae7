// Experiment 3: real people's answers on ImageNet-16H. Policies learn at noise 80 and decide at
// noise 95, 110 and 125, with the study's own model probabilities.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/jobs/measure.h"
#include "experiments/jobs/plan.h"
#include "ifd/data/accuracy.h"
#include "ifd/experts/annotation_sampling.h"
#include "ifd/experts/imagenet16h_groups.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

constexpr double kHigh = 0.99;
constexpr double kLow = 0.40;
constexpr double kLearningRate = 1e-3;
constexpr std::array<double, 3> kSweptLow = {0.20, 0.60, 0.80};
constexpr double kValidationShare = 0.2;
constexpr std::array<const char*, 8> kTrained = {"ifd-peak",    "ifd-expected", "ifd-residual",
                                                 "pop-qi",      "pop-qc",       "pop-qi-perm",
                                                 "pop-qc-perm", "multi-expert"};

// Somebody of each group ("two": one, "four": both).
enum class CohortSize { kTwo, kFour };

std::vector<SpecialistProfile> cohort_of(const ClassNames& classes, PoolSide side, CohortSize size,
                                         double low, std::uint64_t seed) {
  const auto groups = imagenet16h_groups(classes, side, kHigh, low);
  if (size == CohortSize::kTwo) return draw_one_per_group(groups, Key(seed).with("cohort"));
  std::vector<SpecialistProfile> all;
  for (const auto& group : groups) {
    all.insert(all.end(), group.experts.begin(), group.experts.end());
  }
  return all;
}

AnswerTable rows_of(const AnswerTable& table, std::span<const std::size_t> rows) {
  AnswerTable part(table.expert_names(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < table.experts(); ++j)
      part.set(case_id(i), expert_id(j), table.at(case_id(rows[i]), expert_id(j)));
  }
  return part;
}

// The experts at one noise level: contexts from 15 images a class, answers on all the others.
struct Scene {
  std::vector<ExpertContext> contexts;
  Predictions context_predictions;
  Roster roster;
  Predictions cases;
  AnswerTable answers;
  std::vector<std::size_t> rows;  // of the cases among all images
};

Scene make_scene(const Predictions& all, const AnswerTable& answers, const Key& key) {
  const auto context_rows = sample_context_rows(all, kContextPerClass, key);
  std::vector<bool> taken(all.size(), false);
  for (const std::size_t row : context_rows) taken[row] = true;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!taken[i]) others.push_back(i);
  }
  auto contexts = contexts_from_answers(answers, all, context_rows);
  Roster roster = make_roster(contexts, all.classes().size());
  return {std::move(contexts), all.subset(context_rows), std::move(roster),
          all.subset(others),  rows_of(answers, others), others};
}

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

struct Experts {
  std::vector<SampledAnswers> by_noise;  // in the order of kNoiseLevels
};

Experts sampled(const RealAnnotators& people, PoolSide side, CohortSize size, double low,
                std::uint64_t seed) {
  const Predictions& all = people.predictions.front();
  return {sample_annotations(people.annotations, all.case_names(), kNoiseLevels,
                             cohort_of(all.classes(), side, size, low, seed), seed)};
}

ResultRow where_of(CohortSize size, std::size_t cohort) {
  ResultRow row;
  row.experiment = "imagenet16h";
  row.data = "imagenet16h";
  row.experts = size == CohortSize::kTwo ? "2 people" : "4 people";
  row.cohort = static_cast<int>(cohort);
  return row;
}

// All groups and noise levels of one policy. `name` is a policy's name, or empty for `file`.
void measure(JobResult& result, ResultRow where, const RealAnnotators& people, CohortSize size,
             double low, std::uint64_t seed, const std::string& name, const PolicyFile* file,
             CalibrationKind calibration) {
  for (const PoolSide side : {PoolSide::kInDistribution, PoolSide::kOutOfDistribution}) {
    const bool ood = side == PoolSide::kOutOfDistribution;
    if (ood && file != nullptr && file->method == "multi-expert") continue;
    where.group = ood ? "ood" : "id";
    const Experts experts = sampled(people, side, size, low, seed);
    for (std::size_t level = 1; level < std::size(kNoiseLevels); ++level) {
      const Scene scene =
          make_scene(people.predictions[level], experts.by_noise[level].answers,
                     Key(seed).with("context").with(where.group).with(kNoiseLevels[level]));
      const Calibration fitted = fit_calibration(scene.context_predictions, calibration);
      const Predictions cases = calibrated(scene.cases, fitted);
      ResultRow here = where;
      here.setting +=
          fmt::format("{}noise={}", here.setting.empty() ? "" : " ", kNoiseLevels[level]);
      const auto rows = area_rows(
          here,
          [&](MarginScale scale) {
            PolicyMaterials materials{scene.roster, scale};
            materials.seed = seed;
            materials.answers = &scene.answers;
            materials.contexts = scene.contexts;
            materials.context_predictions = &scene.context_predictions;
            return file != nullptr ? make_policy(*file, materials) : make_policy(name, materials);
          },
          cases, scene.answers, seed);
      result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    }
  }
}

JobResult run_untrained(const RealAnnotators& people, CohortSize size, const Effort& effort,
                        std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  JobResult result;
  ResultRow where = where_of(size, cohort);
  for (const char* policy : {"plug-in", "peak-rule", "confidence", "random", "oracle"}) {
    where.method = policy;
    measure(result, where, people, size, kLow, seed, policy, nullptr, CalibrationKind::kNone);
  }
  where.method = "plug-in-temperature";
  measure(result, where, people, size, kLow, seed, "plug-in", nullptr,
          CalibrationKind::kTemperature);
  where.method = "plug-in-context-calibrated";
  measure(result, where, people, size, kLow, seed, "plug-in", nullptr, CalibrationKind::kBias);
  for (const double low : kSweptLow) {
    where.setting = fmt::format("low={:.2f}", low);
    for (const char* policy : {"plug-in", "peak-rule"}) {
      where.method = policy;
      measure(result, where, people, size, low, seed, policy, nullptr, CalibrationKind::kNone);
    }
  }
  // What the sampling made of its targets.
  where.method = "people";
  for (const PoolSide side : {PoolSide::kInDistribution, PoolSide::kOutOfDistribution}) {
    where.group = side == PoolSide::kInDistribution ? "id" : "ood";
    for (const SampledAnswers& at : sampled(people, side, size, kLow, seed).by_noise) {
      where.setting = fmt::format("noise={}", at.noise);
      std::size_t right[2] = {0, 0};
      std::size_t images[2] = {0, 0};
      for (const SampledExpert& expert : at.experts) {
        right[0] += expert.specialty.correct;
        images[0] += expert.specialty.images;
        right[1] += expert.elsewhere.correct;
        images[1] += expert.elsewhere.images;
      }
      for (const int part : {0, 1}) {
        result.rows.push_back(
            row_of(where, part == 0 ? "accuracy_on_specialty" : "accuracy_elsewhere",
                   static_cast<double>(right[part]) / static_cast<double>(images[part])));
      }
    }
  }
  return result;
}

JobResult run_trained(Workshop& workshop, const RealAnnotators& people, CohortSize size,
                      const Method& method, const Effort& effort, std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const Predictions& all = people.predictions.front();
  const train::Schedule schedule = effort.schedule(method, kLearningRate, cohort);
  const PolicyFile file = workshop.policy(
      training_settings(
          method,
          fmt::format("{} {} cohort seed {}", people.hash, where_of(size, cohort).experts, seed),
          schedule),
      [&] {
        const Experts experts = sampled(people, PoolSide::kInDistribution, size, kLow, seed);
        const AnswerTable& answers = experts.by_noise.front().answers;
        const Split split = split_images(all, answers, Key(seed).with("split"));
        const Predictions training = all.subset(split.training);
        const Predictions validation = all.subset(split.validation);
        const AnswerTable training_answers = rows_of(answers, split.training);
        const auto contexts = contexts_from_answers(
            training_answers, training,
            sample_context_rows(training, kContextPerClass, Key(seed).with("context")));
        return train_method(
            method,
            {training, validation, contexts, training_answers, rows_of(answers, split.validation)},
            schedule);
      });
  JobResult result;
  ResultRow where = where_of(size, cohort);
  where.method = method.name;
  measure(result, where, people, size, kLow, seed, "", &file, CalibrationKind::kNone);
  return result;
}

// How alike people are, how good, and whom the filter dropped.
JobResult run_people(const RealAnnotators& people) {
  JobResult result;
  ResultRow where;
  where.experiment = "imagenet16h";
  where.data = "imagenet16h";
  where.method = "people";
  result.rows.push_back(row_of(where, "fingerprint_correlation", people.correlation));
  result.rows.push_back(row_of(where, "people", static_cast<double>(people.kept + people.dropped)));
  result.rows.push_back(row_of(where, "people_dropped", static_cast<double>(people.dropped)));
  for (std::size_t level = 0; level < std::size(kNoiseLevels); ++level) {
    where.setting = fmt::format("noise={}", kNoiseLevels[level]);
    result.rows.push_back(row_of(where, "people_accuracy", people.accuracy_by_noise[level]));
    result.rows.push_back(row_of(where, "model_accuracy", accuracy(people.predictions[level])));
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
      for (const char* name : kTrained) {
        add(name, 2,
            [&people, size, method = method_named(name), effort, cohort](Workshop& workshop) {
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
