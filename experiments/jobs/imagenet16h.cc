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
#include "ifd/evaluation/replay.h"
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

bool knows_only_its_own_experts(const Decider& decider) {
  const auto* file = std::get_if<const PolicyFile*>(&decider);
  return file != nullptr && PolicySource::from_file(**file, {}).method().needs.known_experts;
}

// The classifiers that every method is given.
constexpr std::array<GivenClassifier, 3> kGiven = {
    GivenClassifier::kRaw, GivenClassifier::kTemperature, GivenClassifier::kBias};

CalibrationKind kind_of(GivenClassifier given) {
  switch (given) {
    case GivenClassifier::kRaw:
      return CalibrationKind::kNone;
    case GivenClassifier::kTemperature:
      return CalibrationKind::kTemperature;
    case GivenClassifier::kBias:
    case GivenClassifier::kBiasForAnswers:
      return CalibrationKind::kBias;
  }
  return CalibrationKind::kNone;
}

// Cases of the scene and of its contexts as the given classifier sees them, and so their features,
// which are the logarithms of its probabilities.
struct SeenScene {
  Predictions cases;
  Predictions context;
};

SeenScene seen_by(GivenClassifier given, const PeopleScene& scene) {
  if (given == GivenClassifier::kRaw) return {scene.cases, scene.context_predictions};
  const Calibration fitted = fit_calibration(scene.context_predictions, kind_of(given));
  return {with_log_features(calibrated(scene.cases, fitted)),
          with_log_features(calibrated(scene.context_predictions, fitted))};
}

// Who is on duty as the policy knows them: one that knows nobody but the experts of its training
// takes who follows one of them in the same group for that expert.
Roster roster_for(const Decider& decider, const Duty& duty, const PeopleScene& scene) {
  Roster roster = scene.roster;
  if (!knows_only_its_own_experts(decider)) return roster;
  roster.names.clear();
  for (const SpecialistProfile& expert : duty.experts(duty.trained())) {
    roster.names.push_back(expert.name);
  }
  return roster;
}

// A policy on a scene.
class Scored {
 public:
  Scored(const Decider& decider, const Duty& duty, const PeopleScene& scene)
      : decider_(decider), duty_(duty), scene_(scene), roster_(roster_for(decider, duty, scene)) {}

  const Duty& duty() const { return duty_; }
  const PeopleScene& scene() const { return scene_; }

  std::unique_ptr<DeferralPolicy> policy(const SeenScene& seen, MarginScale scale) const {
    PolicyMaterials materials{roster_, scale};
    materials.seed = duty_.seed;
    materials.answers = &scene_.answers;
    materials.contexts = scene_.contexts;
    materials.context_predictions = &seen.context;
    const auto* file = std::get_if<const PolicyFile*>(&decider_);
    return file != nullptr ? make_policy(**file, materials)
                           : make_policy(std::get<std::string>(decider_), materials);
  }

  Replay replayed(const SeenScene& seen) const {
    return replay(*policy(seen, MarginScale::kProbability), seen.cases, scene_.answers,
                  ScoringOptions{duty_.seed, 1, {}});
  }

 private:
  const Decider& decider_;
  const Duty& duty_;
  const PeopleScene& scene_;
  Roster roster_;
};

// The claims and the recommendation compare two unseen people under other classifiers than the raw
// one; what else is measured of these is told without intervals over cases.
std::vector<MeasureName> resampled_beside_raw(const Duty& duty, const GroupName& group) {
  if (duty.size == CohortSize::kFour || group == kSeen) return {};
  return {kAursac, kModelAlone};
}

// All rows with the raw classifier, the areas with the others.
void measure_scene(JobResult& result, ResultRow where, const Scored& scored, int noise) {
  const auto append = [&](std::vector<ResultRow> rows) {
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  };
  for (const GivenClassifier given : kGiven) {
    const SeenScene seen = seen_by(given, scored.scene());
    where.setting = at_noise(noise, given);
    if (given == GivenClassifier::kRaw) {
      append(area_rows(
          where, [&](MarginScale scale) { return scored.policy(seen, scale); }, seen.cases,
          scored.scene().answers, scored.duty().seed));
      continue;
    }
    where.scale = kProbability;
    append(brief_rows(where, scored.replayed(seen), seen.cases,
                      resampled_beside_raw(scored.duty(), where.group)));
  }
}

// Everybody in the order of the raw classifier, which answers as the one with offsets would.
void measure_bias_for_answers(JobResult& result, ResultRow where, const Scored& scored, int noise) {
  const Predictions cases = seen_by(GivenClassifier::kBias, scored.scene()).cases;
  const Replay replayed =
      with_answers_of(cases, scored.replayed(seen_by(GivenClassifier::kRaw, scored.scene())));
  where.setting = at_noise(noise, GivenClassifier::kBiasForAnswers);
  where.scale = kProbability;
  const auto rows =
      brief_rows(where, replayed, cases, resampled_beside_raw(scored.duty(), where.group));
  result.rows.insert(result.rows.end(), rows.begin(), rows.end());
}

// Calls visit(group, noise, scene) for the groups and noise levels that are reported.
template <class Visit>
void each_scene(const Duty& duty, const std::vector<GroupName>& groups, Visit visit) {
  for (const GroupName& group : groups) {
    const auto answers = duty.answers(group);
    for (std::size_t level = 1; level < std::size(kNoiseLevels); ++level) {
      visit(group, kNoiseLevels[level], people_scene(duty, group, level, answers[level].answers));
    }
  }
}

// Rows of one policy for all groups, noise levels and classifiers. `where` tells everything else.
void measure(JobResult& result, ResultRow where, const Duty& duty, const Decider& decider) {
  std::vector<GroupName> groups = duty.groups();
  if (knows_only_its_own_experts(decider)) std::erase(groups, kOod);
  each_scene(duty, groups, [&](const GroupName& group, int noise, const PeopleScene& scene) {
    where.group = group;
    measure_scene(result, where, {decider, duty, scene}, noise);
  });
}

// How the areas of unseen people change with how specialised they are made.
void measure_sweep(JobResult& result, ResultRow where, const Duty& duty, const Decider& decider) {
  const std::vector<MeasureName> resampled = {kAursac};
  where.scale = kProbability;
  each_scene(duty, duty.unseen(), [&](const GroupName& group, int noise, const PeopleScene& scene) {
    where.group = group;
    where.setting = at_low_and_noise(duty.low, noise);
    const SeenScene seen = seen_by(GivenClassifier::kRaw, scene);
    const auto rows =
        brief_rows(where, Scored{decider, duty, scene}.replayed(seen), seen.cases, resampled);
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  });
}

// What the sampling made of its targets.
void add_sampled_accuracies(JobResult& result, ResultRow where, const Duty& duty) {
  const auto share = [](std::size_t right, std::size_t images) {
    return static_cast<double>(right) / static_cast<double>(images);
  };
  where.method = kPeople;
  for (const GroupName& group : duty.groups()) {
    where.group = group;
    for (const SampledAnswers& at : duty.answers(group)) {
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
  const Duty duty{people, size, kLowTarget, effort.seed + cohort, effort.protocol};
  JobResult result;
  ResultRow where = where_of(size, cohort);
  for (const char* policy :
       {"plug-in", "peak-rule", "confidence", "conformal", "random", "oracle"}) {
    where.method = MethodName(policy);
    measure(result, where, duty, policy);
  }
  where.method = kPlugIn;
  const Decider plug_in = kPlugIn.text();
  each_scene(duty, duty.unseen(), [&](const GroupName& group, int noise, const PeopleScene& scene) {
    where.group = group;
    measure_bias_for_answers(result, where, {plug_in, duty, scene}, noise);
  });
  for (const double low : kSweptLow) {
    const Duty otherwise{people, size, low, duty.seed, duty.protocol};
    for (const MethodName& method : {kPlugIn, kPeakRule}) {
      where.method = method;
      measure_sweep(result, where, otherwise, method.text());
    }
  }
  add_sampled_accuracies(result, where_of(size, cohort), duty);
  return result;
}

JobResult run_trained(Workshop& workshop, const RealAnnotators& people, CohortSize size,
                      const Method& method, const Effort& effort, std::size_t cohort) {
  const Duty duty{people, size, kLowTarget, effort.seed + cohort, effort.protocol};
  const Predictions& all = people.predictions.front();
  const train::Schedule schedule = effort.schedule(method, kLearningRate, cohort);
  ResultRow where = where_of(size, cohort);
  where.method = MethodName(method.name);
  const std::string lesson =
      fmt::format("{} {} cohort seed {}", people.hash, where.experts, duty.seed);
  const PolicyFile file = workshop.policy(training_settings(method, lesson, schedule), [&] {
    const auto by_noise = duty.answers(duty.trained());
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
