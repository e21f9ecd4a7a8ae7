#include "experiments/jobs/people.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "experiments/jobs/answering.h"
#include "experiments/jobs/measure.h"
#include "experiments/jobs/methods.h"
#include "experiments/jobs/workshop.h"
#include "experiments/result/labels.h"
#include "ifd/data/accuracy.h"
#include "ifd/evaluation/replay.h"
#include "ifd/experts/cohort.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {
namespace {

constexpr double kPeopleLearningRate = 1e-3;
constexpr std::array<const char*, 5> kTrainedOnPeople = {"ifd-peak", "ifd-expected", "ifd-residual",
                                                         "pop-qi", "pop-qc"};
constexpr double kPastShare = 0.5;
constexpr double kPastValidationShare = 0.2;

// Rows of the pictures by what they are for. A picture has one use, at every level and in every
// cohort.
struct Pictures {
  std::vector<std::size_t> past;  // training and validation
  std::vector<std::size_t> training, validation;
  std::vector<std::size_t> test;
};

Pictures divide_pictures(const Predictions& all, std::uint64_t seed) {
  const Key key = Key(seed).with("pictures of people as they are");
  Pictures made;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Key picture = key.with(all.case_name(i));
    if (picture.uniform(0) >= kPastShare) {
      made.test.push_back(i);
      continue;
    }
    made.past.push_back(i);
    const bool validates = picture.uniform(1) < kPastValidationShare;
    (validates ? made.validation : made.training).push_back(i);
  }
  return made;
}

bool somebody_answered(const AnswerTable& answers, std::size_t row) {
  for (std::size_t j = 0; j < answers.experts(); ++j) {
    if (!answers.at(case_id(row), expert_id(j)).is_missing()) return true;
  }
  return false;
}

std::vector<std::size_t> answered_rows(const AnswerTable& answers,
                                       const std::vector<std::size_t>& rows) {
  std::vector<std::size_t> answered;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(answered),
               [&](std::size_t row) { return somebody_answered(answers, row); });
  return answered;
}

// A cohort on duty at one noise level.
struct PeopleAsked {
  std::vector<ExpertContext> contexts;
  Predictions past;  // the pictures of the contexts
  Predictions cases;
  AnswerTable answers;
};

PeopleAsked people_asked(const RealAnnotators& people, const LeftOut& who, std::size_t level,
                         std::uint64_t seed) {
  const Predictions& all = people.predictions[level];
  const Pictures pictures = divide_pictures(all, seed);
  const AnswerTable answers =
      answers_as_given(people.annotations, who.on_duty, all, kNoiseLevels[level]);
  const auto asked = answered_rows(answers, pictures.test);
  return {contexts_from_answers(answers, all, pictures.past), all.subset(pictures.past),
          all.subset(asked), answers.subset(asked)};
}

ResultRow people_row(std::size_t level, std::size_t cohort) {
  ResultRow row;
  row.experiment = kPeopleAsTheyAre;
  row.data = kImageNet16HData;
  row.experts = kEverydayPeople;
  row.group = kEverybody;
  row.setting = at_noise(kNoiseLevels[level]);
  row.scale = kProbability;
  row.cohort = static_cast<int>(cohort);
  return row;
}

// The pictures as a classifier calibrated on the past ones sees them.
PeopleAsked calibrated_scene(const PeopleAsked& raw, CalibrationKind kind) {
  const Calibration fitted = fit_calibration(raw.past, kind);
  return {raw.contexts, calibrated(raw.past, fitted), calibrated(raw.cases, fitted), raw.answers};
}

void add_curve(JobResult& result, const ResultRow& where, const Replay& replayed,
               const PeopleAsked& scene) {
  const auto rows = curve_rows(where, replayed, scene.cases);
  result.rows.insert(result.rows.end(), rows.begin(), rows.end());
}

PolicyMaterials people_materials(const PeopleAsked& scene, const Roster& roster) {
  PolicyMaterials materials{roster};
  materials.contexts = scene.contexts;
  materials.context_predictions = &scene.past;
  materials.answers = &scene.answers;
  return materials;
}

JobResult run_untrained_people(const RealAnnotators& people, std::size_t cohort,
                               std::uint64_t seed) {
  const LeftOut who = left_out(people.annotations, cohort, seed);
  JobResult result;
  for (std::size_t level = 0; level < std::size(kNoiseLevels); ++level) {
    const PeopleAsked scene = people_asked(people, who, level, seed);
    const std::size_t classes = scene.cases.classes().size();
    const Roster roster = make_roster(scene.contexts, classes);
    const Roster by_staff =
        make_roster(scene.contexts, classes, {}, PriorOnly::kLeftOut, UnstatedPriors::kStaff);
    ResultRow where = people_row(level, cohort);
    const auto add = [&](const MethodName& method, const std::string& policy, const Roster& with) {
      where.method = method;
      add_curve(result, where,
                replay(*make_policy(policy, people_materials(scene, with)), scene.cases,
                       scene.answers, ScoringOptions{seed, 1, {}}),
                scene);
    };
    for (const MethodName& method : {kPlugIn, kPeakRule, kConfidence, kConformal, kOracle}) {
      add(method, method.text(), roster);
    }
    add(kPlugInStaffPrior, "plug-in", by_staff);
    const auto add_answered = [&](const MethodName& method, Answering answering, const Roster& with,
                                  const PeopleAsked& seen) {
      where.method = method;
      add_curve(result, where, answered(answering, with, seen.cases, seen.answers, seed), seen);
    };
    add_answered(kPlugInCombined, Answering::kCombined, roster, scene);
    add_answered(kStaffPriorCombined, Answering::kCombined, by_staff, scene);
    where.method = kModel;
    result.rows.push_back(row_of(where, kAccuracy, accuracy(scene.cases)));
    result.rows.push_back(row_of(where, kPeopleCount, static_cast<double>(who.on_duty.size())));
    for (const auto& [given, kind] :
         {std::pair(GivenClassifier::kTemperature, CalibrationKind::kTemperature),
          std::pair(GivenClassifier::kBias, CalibrationKind::kBias)}) {
      where.setting = at_noise(kNoiseLevels[level], given);
      const PeopleAsked seen = calibrated_scene(scene, kind);
      add_answered(kPlugIn, Answering::kFinal, roster, seen);
      add_answered(kPlugInStaffPrior, Answering::kFinal, by_staff, seen);
      add_answered(kPlugInCombined, Answering::kCombined, roster, seen);
      add_answered(kStaffPriorCombined, Answering::kCombined, by_staff, seen);
      where.method = kModel;
      result.rows.push_back(row_of(where, kAccuracy, accuracy(seen.cases)));
    }
  }
  return result;
}

// From the people who are not on duty, on past pictures of this level.
PolicyFile people_policy(Workshop& workshop, const RealAnnotators& people, const LeftOut& who,
                         std::size_t level, const Method& method, const Effort& effort,
                         std::size_t cohort) {
  const train::Schedule schedule = effort.schedule(method, kPeopleLearningRate, cohort);
  const std::string lesson =
      fmt::format("{} {} noise {} not cohort {} seed {}", people.hash, kPeopleAsTheyAre,
                  kNoiseLevels[level], cohort, effort.seed);
  return workshop.policy(training_settings(method, lesson, schedule), [&] {
    const Predictions& all = people.predictions[level];
    const Pictures pictures = divide_pictures(all, effort.seed);
    const AnswerTable answers =
        answers_as_given(people.annotations, who.others, all, kNoiseLevels[level]);
    const auto validation = answered_rows(answers, pictures.validation);
    const auto contexts = contexts_from_answers(answers, all, pictures.training);
    return train_method(method,
                        {all.subset(pictures.training), all.subset(validation), contexts,
                         answers.subset(pictures.training), answers.subset(validation),
                         train::ContextCoverage::kAnyClasses},
                        schedule);
  });
}

JobResult run_trained_people(Workshop& workshop, const RealAnnotators& people, const Method& method,
                             const Effort& effort, std::size_t cohort) {
  const LeftOut who = left_out(people.annotations, cohort, effort.seed);
  JobResult result;
  for (std::size_t level = 0; level < std::size(kNoiseLevels); ++level) {
    const PolicyFile file = people_policy(workshop, people, who, level, method, effort, cohort);
    const PeopleAsked scene = people_asked(people, who, level, effort.seed);
    const Roster roster = make_roster(scene.contexts, scene.cases.classes().size());
    ResultRow where = people_row(level, cohort);
    where.method = MethodName(method.name);
    add_curve(result, where,
              replay(*make_policy(file, people_materials(scene, roster)), scene.cases,
                     scene.answers, ScoringOptions{effort.seed, 1, {}}),
              scene);
    const auto made = training_rows(where, file);
    result.rows.insert(result.rows.end(), made.begin(), made.end());
  }
  return result;
}

}  // namespace

LeftOut left_out(const AnnotationSet& annotations, std::size_t cohort, std::uint64_t seed) {
  std::set<std::string> names;
  for (const Annotation& row : annotations.rows) names.insert(row.participant);
  std::vector<std::pair<double, std::string>> drawn;
  for (const std::string& name : names) {
    drawn.emplace_back(Key(seed).with("people on duty").with(name).uniform(), name);
  }
  std::sort(drawn.begin(), drawn.end());
  LeftOut made;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    (i % kPeopleCohorts == cohort ? made.on_duty : made.others).push_back(drawn[i].second);
  }
  std::sort(made.on_duty.begin(), made.on_duty.end());
  std::sort(made.others.begin(), made.others.end());
  return made;
}

AnswerTable answers_as_given(const AnnotationSet& annotations,
                             const std::vector<std::string>& people, const Predictions& pictures,
                             int noise) {
  std::unordered_map<std::string, std::size_t> row_of_picture, column_of;
  for (std::size_t i = 0; i < pictures.size(); ++i) row_of_picture[pictures.case_name(i)] = i;
  for (std::size_t j = 0; j < people.size(); ++j) column_of[people[j]] = j;
  AnswerTable answers(people, pictures.size());
  for (const Annotation& given : annotations.rows) {
    const auto row = row_of_picture.find(given.image);
    const auto column = column_of.find(given.participant);
    if (given.noise != noise || row == row_of_picture.end() || column == column_of.end()) continue;
    answers.set(case_id(row->second), expert_id(column->second), given.answer);
  }
  return answers;
}

std::vector<Job> people_jobs(const RealAnnotators& people, const Effort& effort) {
  std::vector<Job> jobs;
  for (std::size_t cohort = 0; cohort < std::min(effort.cohorts, kPeopleCohorts); ++cohort) {
    const auto add = [&](const std::string& method, double weight, auto work) {
      jobs.push_back({fmt::format("people/{}/cohort-{}", method, cohort),
                      fmt::format("{} {}", people.hash, effort.text()), weight, std::move(work)});
    };
    for (const char* name : kTrainedOnPeople) {
      add(name, 10, [&people, method = effort.method(name), effort, cohort](Workshop& workshop) {
        return run_trained_people(workshop, people, method, effort, cohort);
      });
    }
    add("untrained", 0.5, [&people, cohort, seed = effort.seed](Workshop&) {
      return run_untrained_people(people, cohort, seed);
    });
  }
  return jobs;
}

}  // namespace ifd::experiments
