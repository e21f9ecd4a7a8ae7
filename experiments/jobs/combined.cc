#include "experiments/jobs/combined.h"

#include <fmt/format.h>

#include <utility>

#include "experiments/jobs/answering.h"
#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/measure.h"
#include "experiments/jobs/people_on_duty.h"
#include "experiments/jobs/recording_intervals.h"
#include "experiments/jobs/scorer_pair.h"
#include "experiments/result/labels.h"
#include "ifd/policy/calibration.h"

namespace ifd::experiments {
namespace {

// The cases as a classifier of this setting sees them.
struct SeenCases {
  Setting setting;
  Predictions cases;
};

Predictions by_temperature_of(const Predictions& labelled, const Predictions& cases) {
  return calibrated(cases, fit_calibration(labelled, CalibrationKind::kTemperature));
}

ResultRow combined_row(const DataName& data, const ExpertsName& experts, std::size_t cohort) {
  ResultRow row;
  row.experiment = kCombined;
  row.data = data;
  row.experts = experts;
  row.scale = kProbability;
  row.cohort = static_cast<int>(cohort);
  return row;
}

// Rows of every way to answer, for each of these classifiers.
void add_answerings(JobResult& result, ResultRow where, const std::vector<SeenCases>& classifiers,
                    const Roster& roster, const AnswerTable& answers, std::uint64_t seed) {
  for (const SeenCases& seen : classifiers) {
    where.setting = seen.setting;
    for (const Answering answering : kAnswerings) {
      where.method = name_of(answering);
      const auto rows =
          curve_rows(where, answered(answering, roster, seen.cases, answers, seed), seen.cases);
      result.rows.insert(result.rows.end(), rows.begin(), rows.end());
    }
  }
}

JobResult run_simulated(const DataSet& data_set, Archetype archetype, const Effort& effort,
                        std::size_t cohort) {
  const std::uint64_t seed = effort.seed + cohort;
  const CohortData data = make_cohort_data(data_set, archetype, effort.population(cohort));
  const Predictions by_validation = by_temperature_of(data_set.validation, data_set.test);
  JobResult result;
  ResultRow where = combined_row(data_set.name, name_of(archetype), cohort);
  for (const ExpertGroup& group : data.unseen()) {
    where.group = group.name;
    add_answerings(
        result, where,
        {{kRaw, data_set.test},
         {kTemperatureOfContext, by_temperature_of(group.context_predictions, data_set.test)},
         {kTemperatureOfOthers, by_validation}},
        group.roster, group.answers, seed);
  }
  return result;
}

JobResult run_people_combined(const RealAnnotators& people, const Effort& effort,
                              std::size_t cohort) {
  const Duty duty{people, CohortSize::kTwo, kLowTarget, effort.seed + cohort, effort.protocol};
  JobResult result;
  ResultRow where = combined_row(kImageNet16HData, kTwoPeople, cohort);
  for (const GroupName& group : duty.unseen()) {
    where.group = group;
    const auto answers = duty.answers(group);
    for (std::size_t level = 0; level < std::size(kNoiseLevels); ++level) {
      where.x = kNoiseLevels[level];
      const PeopleScene scene = people_scene(duty, group, level, answers[level].answers);
      add_answerings(
          result, where,
          {{kRaw, scene.cases},
           {kTemperatureOfContext, by_temperature_of(scene.context_predictions, scene.cases)}},
          scene.roster, scene.answers, duty.seed);
    }
  }
  return result;
}

JobResult run_draw(const SleepScorers& scorers, const Effort& effort, std::size_t number) {
  const std::uint64_t seed = effort.seed + number;
  ResultRow where = combined_row(kDodhData, kTwoScorers, number);
  JobResult result;
  std::vector<PairOnDuty> pairs;
  for (const ScorerPair& pair : scorer_pairs(scorers, effort.scorer_pairs)) {
    pairs.push_back(pair_on_duty(scorers, pair));
  }
  Recordings recordings{{},
                        static_cast<std::uint32_t>(scorers.first_of_test()),
                        static_cast<std::uint32_t>(scorers.recording_count)};
  // By setting and way to answer.
  std::vector<std::vector<MethodOnPairs>> methods;
  for (const PairOnDuty& pair : pairs) {
    recordings.of_cases.emplace_back(pair.test.recordings);
    const PairContext context =
        pair_context(pair, kContextPerClass, Key(seed).with("context").with(pair.name));
    const SeenCases classifiers[] = {
        {kRaw, pair.test.cases},
        {kTemperatureOfContext, by_temperature_of(context.cases, pair.test.cases)},
        {kTemperatureOfOthers, by_temperature_of(pair.past.cases, pair.test.cases)}};
    methods.resize(std::size(classifiers), std::vector<MethodOnPairs>(kAnswerings.size()));
    for (std::size_t c = 0; c < std::size(classifiers); ++c) {
      where.setting = classifiers[c].setting;
      for (std::size_t a = 0; a < kAnswerings.size(); ++a) {
        where.method = name_of(kAnswerings[a]);
        where.group = kEverybody;
        methods[c][a].where = where;
        if (kAnswerings[a] == Answering::kFinal) methods[c][a].minus = minus_plug_in;
        methods[c][a].replays.push_back(answered(kAnswerings[a], context.roster,
                                                 classifiers[c].cases, pair.test.answers, seed));
        where.group = GroupName(pair.name);
        result.rows.push_back(
            row_of(where, kAursac, methods[c][a].replays.back().curve().aursac()));
      }
    }
  }
  for (const auto& of_setting : methods) {
    const auto rows = recording_rows(of_setting, recordings, effort.resamples, Key(effort.seed));
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }
  return result;
}

}  // namespace

std::vector<Job> combined_jobs(const DataSet& all, const Effort& effort) {
  std::vector<Job> jobs;
  for (const Archetype archetype : {Archetype::kVariable, Archetype::kStable}) {
    for (std::size_t cohort = 0; cohort < effort.cohorts; ++cohort) {
      const DataSet& data_set = all.of_cohort(cohort);
      jobs.push_back(
          {fmt::format("combined/{}/{}/cohort-{}", data_set.name, name_of(archetype), cohort),
           fmt::format("{} {} seed {}", data_set.hash, name_of(effort.protocol), effort.seed), 0.5,
           [&data_set, archetype, effort, cohort](Workshop&) {
             return run_simulated(data_set, archetype, effort, cohort);
           }});
    }
  }
  return jobs;
}

std::vector<Job> combined_people_jobs(const RealAnnotators& people, const Effort& effort) {
  std::vector<Job> jobs;
  for (std::size_t cohort = 0; cohort < effort.cohorts; ++cohort) {
    jobs.push_back(
        {fmt::format("combined/imagenet16h/two/cohort-{}", cohort),
         fmt::format("{} {} seed {}", people.hash, name_of(effort.protocol), effort.seed), 0.5,
         [&people, effort, cohort](Workshop&) {
           return run_people_combined(people, effort, cohort);
         }});
  }
  return jobs;
}

std::vector<Job> combined_scorers_jobs(const SleepScorers& scorers, const Effort& effort) {
  std::vector<Job> jobs;
  for (std::size_t number = 0; number < effort.context_draws; ++number) {
    jobs.push_back(
        {fmt::format("combined/dodh/draw-{}", number),
         fmt::format("{} {}", scorers.hash, effort.scorers_text()), 1,
         [&scorers, effort, number](Workshop&) { return run_draw(scorers, effort, number); }});
  }
  return jobs;
}

}  // namespace ifd::experiments
