#include "experiments/jobs/recording_intervals.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>

#include "experiments/jobs/answering.h"
#include "experiments/jobs/measure.h"
#include "experiments/jobs/scorer_pair.h"
#include "experiments/result/labels.h"
#include "tests/invented_sleep.h"

namespace ifd::experiments {
namespace {

std::optional<double> value_of(const std::vector<ResultRow>& rows, const MethodName& method,
                               const MeasureName& measure) {
  for (const ResultRow& row : rows) {
    if (row.method == method && row.measure == measure) return row.value;
  }
  return std::nullopt;
}

// Final and combined answers of two pairs.
class RecordingIntervals : public testing::Test {
 protected:
  void SetUp() override {
    for (const ScorerPair& pair : scorer_pairs(scorers_, 2)) {
      pairs_.push_back(pair_on_duty(scorers_, pair));
    }
    for (const PairOnDuty& pair : pairs_) recordings_.of_cases.emplace_back(pair.test.recordings);
    for (const Answering answering : {Answering::kFinal, Answering::kCombined}) {
      MethodOnPairs method;
      method.where.method = name_of(answering);
      if (answering == Answering::kFinal) method.minus = minus_plug_in;
      for (const PairOnDuty& pair : pairs_) {
        method.replays.push_back(answered(answering, pair_context(pair, 10, Key(1)).roster,
                                          pair.test.cases, pair.test.answers, 0));
      }
      methods_.push_back(std::move(method));
    }
  }

  SleepScorers scorers_ = invented_sleep();
  std::vector<PairOnDuty> pairs_;
  Recordings recordings_{{}, 3, 6};
  std::vector<MethodOnPairs> methods_;
};

TEST_F(RecordingIntervals, MeansAreOverPairsAndDifferencesPaired) {
  const auto rows = recording_rows(methods_, recordings_, 50, Key(0));
  double mean = 0;
  for (const Replay& replay : methods_[1].replays) mean += replay.curve().aursac(0, .3) / 2;
  EXPECT_DOUBLE_EQ(value_of(rows, kPlugInCombined, kAursacTo30).value(), mean);
  for (const MeasureName& area : {kAursac, kAursacTo10, kAursacTo30}) {
    const double gain = *value_of(rows, kPlugInCombined, minus_plug_in(area));
    EXPECT_DOUBLE_EQ(gain, *value_of(rows, kPlugInCombined, area) - *value_of(rows, kPlugIn, area));
    EXPECT_LE(*value_of(rows, kPlugInCombined, low_end(minus_plug_in(area))), gain);
    EXPECT_GE(*value_of(rows, kPlugInCombined, high_end(minus_plug_in(area))), gain);
  }
  EXPECT_LT(*value_of(rows, kPlugIn, low_end(kAursac)),
            *value_of(rows, kPlugIn, high_end(kAursac)));
  EXPECT_FALSE(value_of(rows, kPlugIn, minus_plug_in(kAursac)));
}

// Accuracy with few questions has intervals and differences like the areas.
TEST_F(RecordingIntervals, TellTheSmallBudgets) {
  const auto rows = recording_rows(methods_, recordings_, 50, Key(0));
  for (const double budget : kSmallBudgets) {
    const auto at = [&](const MethodName& method, const MeasureName& measure) {
      for (const ResultRow& row : rows) {
        if (row.method == method && row.measure == measure && row.x == budget) return row.value;
      }
      throw std::out_of_range(measure.text());
    };
    double mean = 0;
    for (const Replay& replay : methods_[1].replays) {
      mean += replay.curve().system_accuracy(budget) / 2;
    }
    EXPECT_DOUBLE_EQ(at(kPlugInCombined, kSystemAccuracy), mean);
    EXPECT_DOUBLE_EQ(at(kPlugInCombined, minus_plug_in(kSystemAccuracy)),
                     mean - at(kPlugIn, kSystemAccuracy));
    EXPECT_LT(at(kPlugInCombined, low_end(kSystemAccuracy)),
              at(kPlugInCombined, high_end(kSystemAccuracy)));
  }
}

// A method is compared with each before it that others are compared with, on the same draws: the
// one difference is the other turned round.
TEST_F(RecordingIntervals, ComparesWithEveryMethodThatSaysHow) {
  methods_[1].minus = minus_ifd_peak;
  methods_.push_back(methods_[0]);
  methods_.back().where.method = kPopQi;  // the same replays as plug-in's
  const auto rows = recording_rows(methods_, recordings_, 50, Key(0));
  EXPECT_EQ(value_of(rows, kPopQi, minus_plug_in(kAursac)), 0);
  EXPECT_EQ(value_of(rows, kPopQi, high_end(minus_plug_in(kAursac))), 0);
  EXPECT_EQ(*value_of(rows, kPopQi, minus_ifd_peak(kAursac)),
            -*value_of(rows, kPlugInCombined, minus_plug_in(kAursac)));
  EXPECT_FALSE(value_of(rows, kPlugInCombined, minus_ifd_peak(kAursac)));
}

TEST_F(RecordingIntervals, WithoutResamplesThereAreNone) {
  const auto rows = recording_rows(methods_, recordings_, 0, Key(0));
  EXPECT_TRUE(value_of(rows, kPlugIn, kAursac));
  EXPECT_FALSE(value_of(rows, kPlugIn, low_end(kAursac)));
}

// Recordings are drawn as a whole: where every case belongs to one recording, and that one is drawn
// as often as there are recordings, no resample differs from the cases as they are.
TEST_F(RecordingIntervals, OneRecordingHasNothingToResample) {
  const std::vector<std::uint32_t> first(pairs_[0].test.cases.size(), 0);
  const std::vector<std::uint32_t> second(pairs_[1].test.cases.size(), 0);
  const auto rows = recording_rows(methods_, {{first, second}, 0, 1}, 20, Key(0));
  for (const MethodName& method : {kPlugIn, kPlugInCombined}) {
    EXPECT_EQ(value_of(rows, method, low_end(kAursac)), value_of(rows, method, kAursac));
    EXPECT_EQ(value_of(rows, method, high_end(kAursac)), value_of(rows, method, kAursac));
  }
}

}  // namespace
}  // namespace ifd::experiments
