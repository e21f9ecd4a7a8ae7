#include "experiments/jobs/scorers.h"

#include <fmt/format.h>

#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "experiments/jobs/annotators.h"
#include "experiments/jobs/answering.h"
#include "experiments/jobs/cohort_data.h"
#include "experiments/jobs/measure.h"
#include "experiments/jobs/methods.h"
#include "experiments/jobs/recording_intervals.h"
#include "experiments/jobs/scorer_pair.h"
#include "experiments/jobs/workshop.h"
#include "experiments/result/labels.h"
#include "ifd/data/accuracy.h"
#include "ifd/policy/calibration.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

constexpr double kScorersLearningRate = 1e-3;
constexpr std::array<const char*, 5> kTrainedForScorers = {"ifd-peak", "ifd-expected",
                                                           "ifd-residual", "pop-qi", "pop-qc"};

// As every method reads it; the votes have no features but these, which L2D-Pop encodes.
Predictions as_read(const Predictions& cases, const Calibration& calibration) {
  return with_log_features(calibrated(cases, calibration));
}

// A pair with the classifier that every method reads.
struct CalibratedPair {
  PairOnDuty pair;
  Calibration calibration;
  Predictions cases;
};

class Pairs {
 public:
  Pairs(const SleepScorers& scorers, const Effort& effort)
      : scorers_(scorers), effort_(effort), key_(Key(effort.seed)) {
    for (const ScorerPair& members : scorer_pairs(scorers, effort.scorer_pairs)) {
      PairOnDuty pair = pair_on_duty(scorers, members);
      Calibration calibration = fit_calibration(pair.past.cases, CalibrationKind::kTemperature);
      Predictions cases = as_read(pair.test.cases, calibration);
      all_.push_back({std::move(pair), std::move(calibration), std::move(cases)});
    }
  }

  const std::vector<CalibratedPair>& all() const { return all_; }
  const CalibratedPair& operator[](std::size_t p) const { return all_[p]; }

  // What is known of a pair where the contexts are drawn for the `number`-th time.
  PairContext context(std::size_t p, const Setting& setting, std::size_t number) const {
    const PairOnDuty& pair = all_[p].pair;
    const Key key = Key(effort_.seed + number).with("context").with(pair.name);
    return setting == kAllPastEpochs ? pair_context(pair, std::nullopt, key)
                                     : pair_context(pair, kContextPerClass, key);
  }

  std::vector<ResultRow> rows(std::span<const MethodOnPairs> methods) const {
    Recordings recordings{{},
                          static_cast<std::uint32_t>(scorers_.first_of_test()),
                          static_cast<std::uint32_t>(scorers_.recording_count)};
    for (const CalibratedPair& one : all_) {
      recordings.of_cases.emplace_back(one.pair.test.recordings);
    }
    return recording_rows(methods, recordings, effort_.resamples, key_);
  }

 private:
  const SleepScorers& scorers_;
  const Effort& effort_;
  Key key_;
  std::vector<CalibratedPair> all_;
};

ResultRow scorers_row(const MethodName& method, const Setting& setting, std::size_t number) {
  ResultRow row;
  row.experiment = kScorers;
  row.data = kDodhData;
  row.experts = kTwoScorers;
  row.group = kEverybody;
  row.method = method;
  row.setting = setting;
  row.scale = kProbability;
  row.cohort = static_cast<int>(number);
  return row;
}

// How often each of the two is right on each class among the test epochs themselves, on every case:
// what a profile could know at most.
std::vector<float> accuracies_on(const ScoredEpochs& epochs) {
  const std::size_t classes = epochs.cases.classes().size();
  const auto contexts =
      contexts_from_answers(epochs.answers, epochs.cases, other_rows(epochs.cases.size(), {}));
  std::vector<float> of_a_case;
  for (const ExpertContext& context : contexts) {
    std::vector<double> right(classes, 0), all(classes, 0);
    for (const ContextRow& row : context.rows) {
      all[index(row.truth)] += 1;
      right[index(row.truth)] += row.answer.is(row.truth) ? 1 : 0;
    }
    for (std::size_t k = 0; k < classes; ++k) {
      of_a_case.push_back(all[k] > 0 ? static_cast<float>(right[k] / all[k]) : .5F);
    }
  }
  std::vector<float> accuracies;
  for (std::size_t i = 0; i < epochs.cases.size(); ++i) {
    accuracies.insert(accuracies.end(), of_a_case.begin(), of_a_case.end());
  }
  return accuracies;
}

Replay untrained_replay(const CalibratedPair& one, const PairContext& context,
                        const MethodName& method, std::uint64_t seed) {
  const AnswerTable& answers = one.pair.test.answers;
  PolicyMaterials materials{context.roster};
  materials.seed = seed;
  materials.answers = &answers;
  const std::vector<float> accuracies =
      method == kCeiling ? accuracies_on(one.pair.test) : std::vector<float>();
  materials.accuracies = accuracies;
  const Predictions labelled = calibrated(context.cases, one.calibration);
  materials.contexts = context.contexts;
  materials.context_predictions = &labelled;
  return replay(*make_policy(method.text(), materials), one.cases, answers,
                ScoringOptions{seed, 1, {}});
}

JobResult run_untrained_scorers(const SleepScorers& scorers, const Effort& effort,
                                std::size_t number) {
  const Pairs pairs(scorers, effort);
  const std::uint64_t seed = effort.seed + number;
  JobResult result;
  for (const Setting& setting : {kFifteenPerClass, kAllPastEpochs}) {
    if (setting == kAllPastEpochs && number > 0) continue;  // nothing is drawn
    std::vector<MethodOnPairs> methods;
    for (const Answering answering : {Answering::kFinal, Answering::kCombined}) {
      methods.push_back({scorers_row(name_of(answering), setting, number), {}});
      if (answering == Answering::kFinal) methods.back().minus = minus_plug_in;
      for (std::size_t p = 0; p < pairs.all().size(); ++p) {
        methods.back().replays.push_back(
            answered(answering, pairs.context(p, setting, number).roster, pairs[p].cases,
                     pairs[p].pair.test.answers, seed));
      }
    }
    for (const MethodName& method : {kConfidence, kConformal, kRandom, kCeiling, kOracle}) {
      methods.push_back({scorers_row(method, setting, number), {}});
      for (std::size_t p = 0; p < pairs.all().size(); ++p) {
        methods.back().replays.push_back(
            untrained_replay(pairs[p], pairs.context(p, setting, number), method, seed));
      }
    }
    const auto rows = pairs.rows(methods);
    result.rows.insert(result.rows.end(), rows.begin(), rows.end());
  }
  double model = 0;
  for (const CalibratedPair& one : pairs.all()) {
    model += accuracy(one.cases) / static_cast<double>(pairs.all().size());
  }
  ResultRow where = scorers_row(kModel, kFifteenPerClass, number);
  result.rows.push_back(row_of(where, kAccuracy, model));
  return result;
}

// The policy of a pair learns from the other scorers, on past recordings.
PolicyFile scorers_policy(Workshop& workshop, const SleepScorers& scorers, const ScorerPair& pair,
                          const CalibratedPair& one, const Method& method, const Effort& effort) {
  const train::Schedule schedule = effort.schedule(method, kScorersLearningRate, 0);
  const std::string lesson = fmt::format("{} {} not {}", scorers.hash, kScorers, one.pair.name);
  return workshop.policy(training_settings(method, lesson, schedule), [&] {
    const PanelLesson panel =
        panel_lesson(scorers, pair, Key(effort.seed).with("panel").with(one.pair.name));
    return train_method(
        method,
        {as_read(panel.training, one.calibration), as_read(panel.validation, one.calibration),
         panel.contexts, panel.training_answers, panel.validation_answers},
        schedule);
  });
}

// One for each pair.
std::vector<PolicyFile> scorers_policies(Workshop& workshop, const SleepScorers& scorers,
                                         const Pairs& pairs, const Method& method,
                                         const Effort& effort) {
  const auto members = scorer_pairs(scorers, effort.scorer_pairs);
  std::vector<PolicyFile> files;
  for (std::size_t p = 0; p < members.size(); ++p) {
    files.push_back(scorers_policy(workshop, scorers, members[p], pairs[p], method, effort));
  }
  return files;
}

MethodOnPairs trained_on_pairs(const Pairs& pairs, const std::vector<PolicyFile>& files,
                               const MethodName& method, std::size_t number, std::uint64_t seed) {
  MethodOnPairs made{scorers_row(method, kFifteenPerClass, number), {}};
  for (std::size_t p = 0; p < files.size(); ++p) {
    const PairContext context = pairs.context(p, kFifteenPerClass, number);
    PolicyMaterials materials{context.roster};
    const Predictions context_cases = as_read(context.cases, pairs[p].calibration);
    materials.contexts = context.contexts;
    materials.context_predictions = &context_cases;
    made.replays.push_back(replay(*make_policy(files[p], materials), pairs[p].cases,
                                  pairs[p].pair.test.answers, ScoringOptions{seed, 1, {}}));
  }
  return made;
}

// L2D-Pop is also compared with ifd-peak.
JobResult run_trained_scorers(Workshop& workshop, const SleepScorers& scorers, const Method& method,
                              const Effort& effort) {
  const Pairs pairs(scorers, effort);
  const MethodName name(method.name);
  const auto files = scorers_policies(workshop, scorers, pairs, method, effort);
  std::vector<PolicyFile> peak;
  if (name == kPopQi || name == kPopQc) {
    peak = scorers_policies(workshop, scorers, pairs, effort.method(kIfdPeak.text()), effort);
  }
  JobResult result;
  for (std::size_t number = 0; number < effort.context_draws; ++number) {
    const std::uint64_t seed = effort.seed + number;
    std::vector<MethodOnPairs> methods;
    methods.push_back({scorers_row(kPlugIn, kFifteenPerClass, number), {}, minus_plug_in});
    for (std::size_t p = 0; p < files.size(); ++p) {
      methods.back().replays.push_back(answered(Answering::kFinal,
                                                pairs.context(p, kFifteenPerClass, number).roster,
                                                pairs[p].cases, pairs[p].pair.test.answers, seed));
    }
    if (!peak.empty()) {
      methods.push_back(trained_on_pairs(pairs, peak, kIfdPeak, number, seed));
      methods.back().minus = minus_ifd_peak;
    }
    methods.push_back(trained_on_pairs(pairs, files, name, number, seed));
    for (ResultRow& row : pairs.rows(methods)) {
      if (row.method == name) result.rows.push_back(std::move(row));
    }
  }
  return result;
}

}  // namespace

std::vector<Job> scorers_jobs(const SleepScorers& scorers, const Effort& effort) {
  std::vector<Job> jobs;
  const auto add = [&](const std::string& name, double weight, auto run) {
    jobs.push_back({"scorers/" + name,
                    fmt::format("{} {} {}", scorers.hash, effort.text(), effort.scorers_text()),
                    weight, std::move(run)});
  };
  for (const char* name : kTrainedForScorers) {
    const bool is_pop = std::string_view(name).starts_with("pop-");
    add(name, is_pop ? 60 : 20,
        [&scorers, method = effort.method(name), effort](Workshop& workshop) {
          return run_trained_scorers(workshop, scorers, method, effort);
        });
  }
  for (std::size_t number = 0; number < effort.context_draws; ++number) {
    add(fmt::format("untrained/draw-{}", number), 1, [&scorers, effort, number](Workshop&) {
      return run_untrained_scorers(scorers, effort, number);
    });
  }
  return jobs;
}

}  // namespace ifd::experiments
