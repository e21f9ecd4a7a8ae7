// Results of experiments nobody ran: numbers of the right shape and size, for tests of claims and
// of the report.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/result/job_result.h"
#include "experiments/result/labels.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {

// What is invented.
struct Invention {
  int cohorts = 10;
  double noise = 0.004;  // of a single value
  std::vector<DataName> data = {DataName("blood"), DataName("ham")};
  // AURSAC of a method on Variable OOD experts of the first data set; others are derived from it.
  std::map<MethodName, double> level = {
      {kIfdPeak, .912},   {kIfdExpected, .905}, {kIfdResidual, .924}, {kPlugIn, .921},
      {kPeakRule, .915},  {kPopQi, .836},       {kPopQiPerm, .850},   {kPopQc, .842},
      {kPopQcPerm, .852}, {kMultiExpert, .850}, {kConfidence, .880},  {kRandom, .760},
      {kCeiling, .926},   {kOracle, .976}};
  // How much more a method reaches on ID experts.
  std::map<MethodName, double> fall = {{kPopQi, .030}, {kPopQc, .025}, {kMultiExpert, .01}};
  double largest_change_of_ifd = 0;  // under coherent renaming
  // AURSAC that calibrating brings: to the model's own answers (offsets per class only), and to
  // deferral; at home what deferral loses because the context's cases are ones of the training.
  double own_answers = .02, deferral = .01, trained_on = .015;
  // What combined answers gain on simulated experts; .03 less with people, .015 less with scorers.
  double combining = .04;
};

// The jobs and what they gave, in the same order.
struct InventedResults {
  std::vector<std::string> jobs;
  std::vector<JobResult> results;

  std::vector<ResultRow> rows() const {
    std::vector<ResultRow> all;
    for (const JobResult& result : results) {
      all.insert(all.end(), result.rows.begin(), result.rows.end());
    }
    return all;
  }
};

namespace invention {

class Writer {
 public:
  Writer(const Invention& of, InventedResults& out) : of_(of), out_(out) {}

  // A job with this name; rows and points go to it from now on.
  void job(const std::string& name, double seconds) {
    out_.jobs.push_back(name);
    out_.results.emplace_back();
    out_.results.back().seconds = seconds;
  }
  void add(const ResultRow& where, const MeasureName& measure, double value) {
    ResultRow row = where;
    row.measure = measure;
    row.value = value;
    out_.results.back().rows.push_back(std::move(row));
  }
  // Part of it is common to a cohort and cancels in paired differences.
  double noisy(double value, const ResultRow& row, const std::string& what) const {
    const double common =
        Key(1).with(row.data.text()).with(static_cast<std::uint64_t>(row.cohort)).uniform();
    const double own =
        Key(2)
            .with(fmt::format("{}{}{}{}{}{}{}{}", row.experiment, row.data, row.experts, row.group,
                              row.method, row.setting, row.scale, what))
            .with(static_cast<std::uint64_t>(row.cohort))
            .with(static_cast<std::uint64_t>(row.x * 1000))
            .uniform();
    return value + of_.noise * (2 * common - 1 + own - .5);
  }
  void add_noisy(const ResultRow& where, const MeasureName& measure, double value) {
    add(where, measure, noisy(value, where, measure.text()));
  }
  void add(const ResultPoint& point) { out_.results.back().points.push_back(point); }

 private:
  const Invention& of_;
  InventedResults& out_;
};

inline double level_of(const Invention& of, const MethodName& method) {
  const auto found = of.level.find(method);
  return found == of.level.end() ? .85 : found->second;
}

inline double fall_of(const Invention& of, const MethodName& method) {
  const auto found = of.fall.find(method);
  return found == of.fall.end() ? .002 : found->second;
}

inline bool is_pop(const MethodName& method) { return method.text().starts_with("pop"); }
inline bool is_ifd(const MethodName& method) { return method.text().starts_with("ifd"); }

// AURSAC, AURDAC and the accuracy at every budget; `top` is the classifier's accuracy.
inline void curve(Writer& out, ResultRow where, double value, double top) {
  for (const ScaleName& scale : {kProbability, kLogit}) {
    where.scale = scale;
    out.add_noisy(where, kAursac, value - (scale == kLogit ? .004 : 0));
    out.add_noisy(where, kAurdac, value - .1);
  }
  where.scale = kProbability;
  out.add(where, kModelAlone, top);
  out.add_noisy(where, kAursacTo10, .7 * top + .3 * value);
  out.add_noisy(where, kAursacTo30, .5 * top + .5 * value);
  for (int i = 0; i <= 20; ++i) {
    where.x = i / 20.0;
    out.add_noisy(where, kSystemAccuracy,
                  top + .06 * where.x * (1 - where.x) * 2 - 2 * (.967 - value) * where.x * where.x);
  }
}

inline void certificate(const Invention& of, Writer& out, ResultRow where) {
  where.experiment = kInvariance;
  for (const Setting& kind : {kCoherent, kExpertOnly}) {
    where.setting = kind;
    for (int number = 1; number <= 3; ++number) {
      where.x = number;
      const bool moves = is_pop(where.method) || kind == kExpertOnly;
      const double u = out.noisy(.3, where, "u");
      out.add(where, kLargestMarginChange, moves ? u : of.largest_change_of_ifd);
      out.add(where, kMeanMarginChange, moves ? u / 5 : 0);
      out.add(where, kShareRerouted, moves ? u / 2 : 0);
    }
  }
}

inline void table1_job(const Invention& of, Writer& out, ResultRow where, double handicap) {
  const double level = of.level.at(where.method);
  const double spread = where.experts == kStable ? .3 : 1;  // Stable experts: all are close
  for (const GroupName& group : {kSeen, kId, kOod}) {
    if (where.method == kMultiExpert && group == kOod) continue;
    where.group = group;
    const double value =
        .93 - handicap +
        spread *
            (level - handicap + (group == kOod ? 0 : fall_of(of, where.method)) - (.93 - handicap));
    curve(out, where, value, .967 - handicap);
    const bool trained = is_ifd(where.method) || is_pop(where.method);
    if (trained && group != kSeen) certificate(of, out, where);
  }
  where.group = {};
  out.add(where, kAnnotations, is_pop(where.method) ? 47836 : 480);
  if (where.method != kPlugIn) return;
  where.method = kModel;
  for (const GroupName& group : {kSeen, kId, kOod}) {
    where.group = group;
    out.add(where, kAccuracy, .967 - handicap);
  }
}

inline void table1(const Invention& of, Writer& out) {
  for (std::size_t d = 0; d < of.data.size(); ++d) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      for (const auto& [method, level] : of.level) {
        for (int cohort = 0; cohort < of.cohorts; ++cohort) {
          out.job(fmt::format("table1/{}/{}/{}/cohort-{}", of.data[d], experts, method, cohort),
                  is_pop(method)   ? 60
                  : is_ifd(method) ? 25
                                   : .5);
          const Cell cell{
              .experiment = kTable1, .data = of.data[d], .experts = experts, .method = method};
          table1_job(of, out, {cell, cohort}, .1 * static_cast<double>(d));
        }
      }
    }
  }
}

inline void rings_map(Writer& out, const std::string& panel, int best) {
  for (std::uint64_t i = 0; i < 300; ++i) {
    const Key key = Key(7).with(i);
    const int k = static_cast<int>(3 * key.uniform(0));
    const double radius = 1 + 2 * k + .9 * key.uniform(1), angle = 6.283 * key.uniform(2);
    out.add({panel, radius * std::cos(angle), radius * std::sin(angle), k,
             key.uniform(3) < (k == best ? .6 : .1)});
  }
}

inline void toy(const Invention& of, Writer& out) {
  for (const MethodName& method :
       {kPopQi, kPopQc, kPopQiPerm, kIfdPeak, kIfdExpected, kIfdResidual, kPlugIn}) {
    const bool named = method == kPopQi || method == kPopQc;
    for (int cohort = 0; cohort < std::min(of.cohorts, 5); ++cohort) {
      out.job(fmt::format("toy/{}/seed-{}", method, cohort), 2);
      for (const GroupName& group : {kId, kOod}) {
        ResultRow where{{.experiment = kToy,
                         .data = kRingsData,
                         .group = group,
                         .method = method,
                         .scale = kProbability},
                        cohort};
        out.add_noisy(where, kAursac, named && group == kOod ? .70 : .78);
        const int best = group == kId || named ? 0 : 2;
        for (const Setting& setting : {kAtThreshold, kAtBudget}) {
          where.setting = setting;
          for (int k = 0; k < 3; ++k) {
            where.x = k;
            out.add_noisy(where, kShareOfClassDeferred, k == best ? .6 : .1);
            out.add_noisy(where, kShareOfDeferredInClass, k == best ? .7 : .15);
          }
        }
        if (cohort == 0) rings_map(out, fmt::format("{}/{}", method, group), best);
      }
    }
  }
}

constexpr int kInventedNoises[] = {80, 95, 110, 125};

inline void people(Writer& out) {
  out.job("imagenet16h/people", 1);
  ResultRow where{{.experiment = kImageNet16H, .data = kImageNet16HData, .method = kPeople}};
  out.add(where, kFingerprintCorrelation, .926);
  out.add(where, kPeopleCount, 145);
  out.add(where, kPeopleDropped, 31);
  for (std::size_t i = 0; i < 4; ++i) {
    where.setting = at_noise(kInventedNoises[i]);
    out.add(where, kPeopleAccuracy, std::vector{.900, .860, .771, .603}[i]);
    out.add(where, kModelAccuracy, std::vector{.728, .539, .321, .150}[i]);
  }
}

// What a method gains with the classifier calibrated.
inline double gain_by(const Invention& of, GivenClassifier given) {
  switch (given) {
    case GivenClassifier::kRaw:
      return 0;
    case GivenClassifier::kTemperature:
      return of.deferral;
    case GivenClassifier::kBias:
      return of.deferral + of.own_answers;
    case GivenClassifier::kBiasForAnswers:
      return of.own_answers;
  }
  return 0;
}

inline void calibrated_areas(const Invention& of, Writer& out, ResultRow where, int noise,
                             double value) {
  for (const GivenClassifier given :
       {GivenClassifier::kTemperature, GivenClassifier::kBias, GivenClassifier::kBiasForAnswers}) {
    const bool answers_alone = given == GivenClassifier::kBiasForAnswers;
    if (answers_alone && where.method != kPlugIn) continue;
    where.setting = at_noise(noise, given);
    out.add_noisy(where, kAursac, value + gain_by(of, given));
    out.add(where, kModelAlone,
            value - .1 + (given == GivenClassifier::kTemperature ? 0 : of.own_answers));
  }
}

// AURSAC and AURDAC at one noise level; for the swept policies also with other low targets.
inline void people_areas(const Invention& of, Writer& out, ResultRow where, int noise,
                         double value) {
  for (const ScaleName& scale : {kProbability, kLogit}) {
    where.scale = scale;
    where.setting = at_noise(noise);
    out.add_noisy(where, kAursac, value - (scale == kLogit ? .003 : 0));
    out.add_noisy(where, kAurdac, value + .1);
    if (scale == kProbability) calibrated_areas(of, out, where, noise, value);
    if (scale == kProbability) {
      out.add(where, kModelAlone, value - .1);
      out.add_noisy(where, kAursacTo10, value - .08);
      out.add_noisy(where, kAursacTo30, value - .05);
    }
    if (where.method != kPlugIn && where.method != kPeakRule) continue;
    for (const double low : {.20, .60, .80}) {
      where.setting = at_low_and_noise(low, noise);
      out.add_noisy(where, kAursac, value + .2 * (low - .4));
    }
  }
}

inline void people_job(const Invention& of, Writer& out, ResultRow where) {
  const double own = where.method == kPlugIn ? .01 : 0;
  for (const GroupName& group : {kSeen, kId, kOod}) {
    if (where.method == kMultiExpert && group == kOod) continue;
    if (where.experts == kFourPeople && group == kId) continue;  // all four train
    where.group = group;
    for (std::size_t i = 1; i < 4; ++i) {
      people_areas(of, out, where, kInventedNoises[i],
                   std::vector{0., .76, .60, .42}[i] + own + level_of(of, where.method) - .92 +
                       (where.experts == kFourPeople ? .02 : 0));
    }
  }
  if (where.method != kPlugIn) return;
  where.method = kPeople;
  for (const GroupName& group : {kSeen, kId, kOod}) {
    if (where.experts == kFourPeople && group == kId) continue;
    where.group = group;
    for (const int noise : kInventedNoises) {
      where.setting = at_noise(noise);
      out.add_noisy(where, kAccuracyOnSpecialty, .99 - .002 * (noise - 80));
      out.add_noisy(where, kAccuracyElsewhere, .78 - .006 * (noise - 80));
    }
  }
}

inline void imagenet16h(const Invention& of, Writer& out) {
  people(out);
  for (const ExpertsName& experts : {kTwoPeople, kFourPeople}) {
    for (const MethodName& method :
         {kIfdPeak, kIfdExpected, kIfdResidual, kPopQi, kPopQc, kPopQiPerm, kPopQcPerm,
          kMultiExpert, kPlugIn, kPeakRule, kConfidence, kRandom, kOracle}) {
      for (int cohort = 0; cohort < of.cohorts; ++cohort) {
        out.job(fmt::format("imagenet16h/{}/{}/cohort-{}", experts == kTwoPeople ? "two" : "four",
                            method, cohort),
                3);
        people_job(of, out,
                   {{.experiment = kImageNet16H,
                     .data = kImageNet16HData,
                     .experts = experts,
                     .method = method},
                    cohort});
      }
    }
  }
}

inline void ablation(const Invention& of, Writer& out) {
  for (const DataName& data : of.data) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      for (const MethodName& variant : {kIfdPeakLcb, kIfdPeakMean, kIfdPeakBinary}) {
        for (int cohort = 0; cohort < std::min(of.cohorts, 5); ++cohort) {
          out.job(fmt::format("lcb/{}/{}/{}/seed-{}", data, experts, variant, cohort), 25);
          for (const GroupName& group : {kSeen, kId, kOod}) {
            const ResultRow where{{.experiment = kAblation,
                                   .data = data,
                                   .experts = experts,
                                   .group = group,
                                   .method = variant,
                                   .scale = kProbability},
                                  cohort};
            const double value = variant == kIfdPeakLcb    ? .911
                                 : variant == kIfdPeakMean ? .912
                                                           : .908;
            out.add_noisy(where, kAursac, value);
            out.add_noisy(where, kAurdac, value - .1);
            out.add(where, kModelAlone, .85);
          }
        }
      }
    }
  }
}

inline void context(const Invention& of, Writer& out) {
  const DataName& data = of.data.front();
  for (const MethodName& method : {kIfdPeak, kIfdResidual, kPlugIn, kPopQi, kPopQc}) {
    for (const std::size_t n : {10, 25, 50}) {
      if (method == kPlugIn && n != 10) continue;
      for (int cohort = 0; cohort < std::min(of.cohorts, 5); ++cohort) {
        out.job(fmt::format("context/{}/variable/{}-{}/cohort-{}", data, method, n, cohort), 40);
        for (const GroupName& group : {kId, kOod}) {
          for (double size = 15; size <= 1920; size *= 2) {
            const ResultRow where{{.experiment = kContextScaling,
                                   .data = data,
                                   .experts = kVariable,
                                   .group = group,
                                   .method = method,
                                   .setting = method == kPlugIn ? Setting() : trained_with(n),
                                   .scale = kProbability,
                                   .x = size},
                                  cohort};
            const double gain = is_pop(method) ? 0 : .01 - .6 / (size + 10);
            out.add_noisy(where, kAursac, level_of(of, method) + gain);
            out.add_noisy(where, kAurdac, level_of(of, method) - .1 + gain);
          }
        }
      }
    }
  }
}

inline void prior_job(const Invention& of, Writer& out, ResultRow where, double wrong,
                      double strength) {
  for (const double n : {0., 5., 10., 20., 30., 40., 80., 160., 320., 640.}) {
    where.x = n;
    for (where.cohort = 0; where.cohort < 20; ++where.cohort) {
      where.method = {};
      const double error = wrong * strength / (strength + n) + .35 * std::sqrt(n) / (strength + n);
      out.add(where, kMeanAbsoluteError, error * (1 + .05 * out.noisy(0, where, "mae")));
      for (const MethodName& method : {kIfdPeak, kPlugIn}) {
        where.method = method;
        out.add_noisy(where, kAursac, level_of(of, method) - .1 - .3 * error);
      }
    }
  }
}

inline void priors(const Invention& of, Writer& out) {
  const DataName& data = of.data.back();
  for (const ExpertsName& experts : {kVariable, kStable}) {
    const auto add = [&](const std::string& prior, const Setting& setting, double wrong,
                         double strength) {
      out.job(fmt::format("priors/{}/{}/{}-{}", data, experts, prior, strength), 30);
      prior_job(of, out,
                {{.experiment = kPriors,
                  .data = data,
                  .experts = experts,
                  .group = kOod,
                  .setting = setting,
                  .scale = kProbability}},
                wrong, strength);
    };
    add("uninformative", kUninformativePrior, .25, 2);
    for (const double strength : {10., 30., 100.}) {
      for (const std::string prior : {"accurate", "adversarial", "overconfident"}) {
        add(prior, prior_of_strength(prior, strength), prior == "accurate" ? 0 : .3, strength);
      }
    }
  }
}

inline void remapping(Writer& out, ResultRow where, double level) {
  for (const GroupName& group : {kId, kOod}) {
    where.group = group;
    for (const double moved : {0., 2., 3., 4., 5., 6., 7., 8.}) {
      where.x = moved;
      where.setting = kMisnamed;
      out.add_noisy(where, kAursac, level - .012 * moved);
      where.setting = kMoved;
      out.add_noisy(where, kAursac, level - (is_pop(where.method) ? .006 * moved : 0));
    }
  }
}

inline void archetypes(Writer& out, ResultRow where, double level) {
  for (const std::string group :
       {"generalists", "multi-strength", "anti-experts", "independent noise"}) {
    where.group = GroupName(group);
    out.add_noisy(where, kAursac, level - .01 * static_cast<double>(group.size() % 4));
  }
}

inline void drift(Writer& out, ResultRow where, double level) {
  where.group = kOod;
  where.setting = kOldContexts;
  for (const double share : {0., .25, .5, .75, 1.}) {
    where.x = share;
    out.add_noisy(where, kAursac, level - .06 * share);
  }
  where.setting = kNewContexts;
  out.add_noisy(where, kAursac, level);
}

inline void miscalibration(Writer& out, ResultRow where, double level) {
  where.group = kOod;
  for (const double sharpness : {.25, .5, 1., 2., 4.}) {
    where.x = sharpness;
    where.setting = kRaw;
    out.add_noisy(where, kAursac, level - .01 * std::abs(std::log2(sharpness)));
    where.setting = kRecalibrated;
    out.add_noisy(where, kAursac, level - .001);
  }
}

inline void beyond(const Invention& of, Writer& out) {
  using AddTopic = void (*)(Writer&, ResultRow, double);
  const std::pair<ExpertsName, AddTopic> topics[] = {{kRemapping, remapping},
                                                     {kArchetypes, archetypes},
                                                     {kDrift, drift},
                                                     {kMiscalibration, miscalibration}};
  for (const auto& [topic, add_topic] : topics) {
    for (int cohort = 0; cohort < std::min(of.cohorts, 5); ++cohort) {
      out.job(fmt::format("beyond/{}/{}/cohort-{}", of.data.front(), topic, cohort), 20);
      for (const MethodName& method :
           {kIfdPeak, kIfdResidual, kPlugIn, kPeakRule, kPopQi, kPopQc, kConfidence}) {
        add_topic(out,
                  {{.experiment = kBeyond,
                    .data = of.data.front(),
                    .experts = topic,
                    .method = method,
                    .scale = kProbability},
                   cohort},
                  level_of(of, method));
      }
    }
  }
}

// Every way to answer at one place; combining gains `gain` where the classifier is calibrated.
inline void answers(Writer& out, ResultRow where, double level, double gain) {
  for (const Setting& setting : {kRaw, kTemperatureOfContext, kTemperatureOfOthers}) {
    where.setting = setting;
    for (const MethodName& method : {kPlugIn, kPlugInCombined, kValueCombined}) {
      where.method = method;
      const double own = method == kPlugIn ? 0 : setting == kRaw ? gain - .01 : gain;
      for (const MeasureName& measure : {kAursac, kAursacTo10, kAursacTo30}) {
        // Exact: what it gains is what it gains, in every cohort.
        out.add(where, measure, level + own + .001 * where.cohort);
      }
    }
  }
}

// Intervals over recordings of what was added last.
inline void ends(Writer& out, const ResultRow& where, const MeasureName& measure, double value) {
  out.add(where, measure, value);
  out.add(where, low_end(measure), value - .004);
  out.add(where, high_end(measure), value + .004);
}

inline void calibration(const Invention& of, Writer& out) {
  for (int cohort = 0; cohort < of.cohorts; ++cohort) {
    for (const DataName& data : of.data) {
      for (const ExpertsName& experts : {kVariable, kStable}) {
        out.job(fmt::format("calibration/{}/{}/cohort-{}", data, experts, cohort), .5);
        for (const GroupName& group : {kId, kOod}) {
          ResultRow where{{.experiment = kCalibration,
                           .data = data,
                           .experts = experts,
                           .group = group,
                           .method = kPlugIn,
                           .setting = kRaw,
                           .scale = kProbability},
                          cohort};
          out.add_noisy(where, kAursac, .9);
          out.add(where, kModelAlone, .9);
          for (const FittedOn on : kFittedOn) {
            const bool trained_on = on == FittedOn::kContext || on == FittedOn::kWeighedContext;
            for (const GivenClassifier given :
                 {GivenClassifier::kTemperature, GivenClassifier::kBias,
                  GivenClassifier::kBiasForAnswers}) {
              where.setting = fitted(given, on);
              out.add_noisy(
                  where, kAursac,
                  .9 + gain_by(of, given) -
                      (trained_on && given != GivenClassifier::kBiasForAnswers ? of.trained_on
                                                                               : 0));
              out.add(where, kModelAlone,
                      .9 + (given == GivenClassifier::kTemperature ? 0 : of.own_answers));
            }
          }
        }
      }
    }
  }
}

inline void combined(const Invention& of, Writer& out) {
  for (int cohort = 0; cohort < of.cohorts; ++cohort) {
    for (const DataName& data : of.data) {
      for (const ExpertsName& experts : {kVariable, kStable}) {
        out.job(fmt::format("combined/{}/{}/cohort-{}", data, experts, cohort), .5);
        for (const GroupName& group : {kId, kOod}) {
          answers(out,
                  {{.experiment = kCombined,
                    .data = data,
                    .experts = experts,
                    .group = group,
                    .scale = kProbability},
                   cohort},
                  .9, of.combining);
        }
      }
    }
    out.job(fmt::format("combined/imagenet16h/two/cohort-{}", cohort), .5);
    for (const int noise : kInventedNoises) {
      answers(out,
              {{.experiment = kCombined,
                .data = kImageNet16HData,
                .experts = kTwoPeople,
                .group = kOod,
                .scale = kProbability,
                .x = static_cast<double>(noise)},
               cohort},
              .7, of.combining - .03);
    }
    out.job(fmt::format("combined/dodh/draw-{}", cohort), 1);
    ResultRow where{{.experiment = kCombined,
                     .data = kDodhData,
                     .experts = kTwoScorers,
                     .group = kEverybody,
                     .scale = kProbability},
                    cohort};
    answers(out, where, .88, of.combining - .015);
    where.setting = kTemperatureOfContext;
    where.method = kPlugInCombined;
    ends(out, where, minus_plug_in(kAursac), of.combining - .015);
    where.group = GroupName("scorer1+scorer2");
    for (const MethodName& method : {kPlugIn, kPlugInCombined}) {
      where.method = method;
      out.add(where, kAursac, .88 + (method == kPlugIn ? 0 : of.combining - .015));
    }
  }
}

inline void scorers(const Invention& of, Writer& out) {
  for (int cohort = 0; cohort < of.cohorts; ++cohort) {
    out.job(fmt::format("scorers/untrained/draw-{}", cohort), 1);
    for (const MethodName& method :
         {kIfdPeak, kPlugIn, kPlugInCombined, kPopQi, kPopQc, kConfidence, kOracle}) {
      const ResultRow where{{.experiment = kScorers,
                             .data = kDodhData,
                             .experts = kTwoScorers,
                             .group = kEverybody,
                             .method = method,
                             .setting = kFifteenPerClass,
                             .scale = kProbability},
                            cohort};
      for (const MeasureName& measure : {kAursac, kAursacTo10, kAursacTo30}) {
        ends(out, where, measure, .88);
        if (method != kPlugIn) ends(out, where, minus_plug_in(measure), .01);
      }
    }
  }
}

}  // namespace invention

// Of every experiment.
inline InventedResults invent(const Invention& of = {}) {
  InventedResults results;
  invention::Writer out(of, results);
  invention::toy(of, out);
  invention::table1(of, out);
  invention::imagenet16h(of, out);
  invention::ablation(of, out);
  invention::context(of, out);
  invention::priors(of, out);
  invention::beyond(of, out);
  invention::combined(of, out);
  invention::calibration(of, out);
  invention::scorers(of, out);
  return results;
}

}  // namespace ifd::experiments
