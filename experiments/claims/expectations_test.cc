#include "experiments/claims/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "experiments/claims/named_cells.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const DataName kBlood("blood");

Cell change_of(const MethodName& method) {
  return {.experiment = kInvariance,
          .data = kBlood,
          .experts = kVariable,
          .group = kOod,
          .method = method,
          .setting = kCoherent,
          .measure = kLargestMarginChange,
          .x = 1};
}

std::vector<ResultRow> invented() {
  std::vector<ResultRow> rows;
  for (int cohort = 0; cohort < 2; ++cohort) {
    rows.push_back({area(kBlood, kVariable, kOod, kIfdPeak), cohort, .80 + .02 * cohort});
    rows.push_back({area(kBlood, kVariable, kOod, kPopQi), cohort, .70 + .02 * cohort});
    rows.push_back({change_of(kIfdPeak), cohort, 0});
    rows.push_back({change_of(kPopQi), cohort, .4});
  }
  return rows;
}

const std::set<ExperimentName> kAll = {kTable1, kInvariance};

std::string message_of(const std::string& json) {
  try {
    expectations_from_json(json, "quick.json");
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Expectations, ARunMeetsWhatWasProposedFromIt) {
  const Summary summary(invented());
  const Expectations proposed = propose_expectations(summary, .02);
  EXPECT_EQ(proposed.bands.size(), 3u);  // two areas and one exact zero
  EXPECT_EQ(proposed.orders.size(), 1u);
  EXPECT_THAT(violations(summary, proposed, kAll), IsEmpty());
  EXPECT_EQ(banded_means(summary, proposed).size(), 3u);
  EXPECT_EQ(expectations_from_json(to_json(proposed), "x"), proposed);
}

TEST(Expectations, WhatLeavesItsBandIsNamedWithItsBand) {
  const Expectations proposed = propose_expectations(Summary(invented()), .02);
  auto rows = invented();
  for (ResultRow& row : rows) {
    if (row.method == kIfdPeak && row.experiment == kTable1) row.value -= .15;
  }
  EXPECT_THAT(
      violations(Summary(rows), proposed, kAll),
      ElementsAre(
          "table1 blood variable ood ifd-peak probability aursac: 0.6600000; expected 0.78 to "
          "0.84",
          "table1 blood variable ood ifd-peak probability aursac: 0.6600; expected at least "
          "0.7100, that is table1 blood variable ood pop-qi probability aursac minus 0"));
}

// Invariance is exact: the smallest change leaves the band [0, 0].
TEST(Expectations, AnExactZeroStaysExact) {
  const Expectations proposed = propose_expectations(Summary(invented()), .02);
  auto rows = invented();
  rows[2].value = 1e-17;
  EXPECT_EQ(violations(Summary(rows), proposed, kAll).size(), 1u);
}

TEST(Expectations, MissingNumbersFailUnlessTheirExperimentWasLeftOut) {
  const Expectations proposed = propose_expectations(Summary(invented()), .02);
  const Summary nothing({});
  EXPECT_EQ(violations(nothing, proposed, kAll).size(), 4u);
  EXPECT_EQ(violations(nothing, proposed, {kInvariance}).size(), 1u);
  EXPECT_THAT(violations(nothing, proposed, {kToy}), IsEmpty());
}

// What people are not there for is no violation; what is on other data still is.
TEST(Expectations, NothingIsExpectedOfDataThatIsNotThere) {
  Cell scored = area(kDodhData, kTwoScorers, kEverybody, kPlugIn);
  auto rows = invented();
  rows.push_back({scored, 0, .9});
  Expectations proposed = propose_expectations(Summary(rows), .02);
  proposed.orders.push_back({scored, area(kBlood, kVariable, kOod, kPopQi), 0});
  EXPECT_EQ(violations(Summary(invented()), proposed, kAll).size(), 2u);
  const Expectations left = without(proposed, {kDodhData});
  EXPECT_THAT(violations(Summary(invented()), left, kAll), IsEmpty());
  EXPECT_EQ(left, propose_expectations(Summary(invented()), .02));
}

// Pairs of scorers are a sample too small for a band each; their mean has one.
TEST(Expectations, CombinedAnswersHaveBandsOverEveryRange) {
  Cell cell = area(kDodhData, kTwoScorers, kEverybody, kPlugInCombined);
  cell.experiment = kCombined;
  std::vector<ResultRow> rows;
  for (const GroupName& group : {kEverybody, GroupName("scorer1+scorer2")}) {
    cell.group = group;
    for (const MeasureName& measure :
         {kAursac, kAursacTo10, kAursacTo30, low_end(kAursac), minus_plug_in(kAursac)}) {
      cell.measure = measure;
      rows.push_back({cell, 0, .9});
    }
  }
  const Expectations proposed = propose_expectations(Summary(rows), .02);
  ASSERT_EQ(proposed.bands.size(), 4u);
  EXPECT_NEAR(proposed.bands[0].high, .9 + 1e-6, 2e-7);  // given data, and nothing trained

  // A gain that is seen is to be kept: as an order, too, where a band would let it go.
  cell.group = kOod;
  cell.data = kBlood;
  cell.measure = kAursac;
  rows = {{cell, 0, .906}};
  cell.method = kPlugIn;
  rows.push_back({cell, 0, .9});
  EXPECT_EQ(propose_expectations(Summary(rows), .02).orders.size(), 1u);
  rows.back().value = .902;
  EXPECT_THAT(propose_expectations(Summary(rows), .02).orders, IsEmpty());
}

// A kind of number with half the width of its band.
struct BandedKind {
  Cell cell;
  double reach;
};

// Three values .01 apart.
std::vector<ResultRow> rows_of_kinds(const std::vector<BandedKind>& kinds) {
  std::vector<ResultRow> rows;
  for (const BandedKind& kind : kinds) {
    for (int cohort = 0; cohort < 3; ++cohort) {
      rows.push_back({kind.cell, cohort, .7 + .01 * cohort});
      if (kind.cell.experiment != kScorers) continue;
      for (const auto& [end, away] : {std::pair(&low_end, -.03), std::pair(&high_end, .05)}) {
        Cell cell = kind.cell;
        cell.measure = end(cell.measure);
        rows.push_back({cell, cohort, .7 + away});
      }
    }
  }
  return rows;
}

// For each kind of number: half a band away is fine, one and a half bands away is not.
void expect_bands(const std::vector<BandedKind>& kinds) {
  const std::vector<ResultRow> rows = rows_of_kinds(kinds);
  const Expectations proposed = propose_expectations(Summary(rows), .05);
  ASSERT_EQ(proposed.bands.size(), kinds.size());
  for (const BandedKind& kind : kinds) {
    SCOPED_TRACE(to_text(kind.cell));
    const auto found = std::ranges::find(proposed.bands, kind.cell, &Band::cell);
    ASSERT_NE(found, proposed.bands.end());
    EXPECT_NEAR(found->high - found->low, 2 * kind.reach, 1e-6);
    const auto moved = [&](double bands) {
      auto others = rows;
      for (ResultRow& row : others) {
        if (static_cast<const Cell&>(row) == kind.cell) row.value += bands * kind.reach;
      }
      return violations(Summary(others), {proposed.bands, {}}, {kind.cell.experiment});
    };
    EXPECT_THAT(moved(.5), IsEmpty());
    EXPECT_EQ(moved(1.5).size(), 1u);
    EXPECT_EQ(moved(-1.5).size(), 1u);
  }
}

// Three standard errors of three values .01 apart, .01 / sqrt(3) each; four for AURDAC; rounding
// where nothing was trained.
const double kOfErrors = 3 * .01 / std::sqrt(3.0);
constexpr double kOfRounding = 1e-6;

Cell cell_with(Cell cell, const std::function<void(Cell&)>& change) {
  change(cell);
  return cell;
}

TEST(Expectations, ANumberThatMovesByMoreThanItsBandIsFound) {
  const Cell trained = area(kBlood, kVariable, kOod, kIfdPeak);
  const auto beyond_paper = [](Cell& c) {
    c.experiment = kBeyond;
    c.experts = kDrift;
    c.setting = kOldContexts;
    c.x = .5;
  };
  const auto of_priors = [](const Setting& setting, const MeasureName& measure) {
    return [=](Cell& c) { c.experiment = kPriors, c.setting = setting, c.measure = measure; };
  };
  expect_bands(
      {{trained, kOfErrors},
       {cell_with(trained, [](Cell& c) { c.measure = kAurdac; }), 4 * kOfErrors / 3},
       {cell_with(trained, [](Cell& c) { c.measure = kAursacTo10; }), kOfErrors},
       {cell_with(trained, [](Cell& c) { c.measure = kModelAlone; }), kOfErrors},
       {cell_with(trained, [](Cell& c) { c.measure = kSystemAccuracy, c.x = .05; }), kOfErrors},
       {cell_with(trained, beyond_paper), kOfErrors},
       {cell_with(trained, of_priors({}, kMeanAbsoluteError)), kOfErrors},
       {cell_with(trained, of_priors(kUninformativePrior, kAursac)), kOfErrors},
       {area(kGeneratedData, kVariable, kOod, kPlugIn), kOfRounding},
       {area(kGeneratedData, kVariable, kOod, kPopQi), kOfErrors},
       {people_area(kTwoPeople, kOod, kPlugIn, 95), kOfRounding}});
}

TEST(Expectations, WhatRostersPromiseAndHowSureAModelIsHaveBands) {
  const auto promised = [](const DataName& data, const MeasureName& measure) {
    return Cell{.experiment = kRosters,
                .data = data,
                .experts = kVariable,
                .group = kEverybody,
                .method = kPlugIn,
                .setting = answers_per_class(5),
                .scale = kProbability,
                .measure = measure,
                .x = 64};
  };
  expect_bands({{promised(kBlood, kPromisedMinusKept), kOfErrors},
                {promised(kBlood, kPromisedMinusKeptByAll), kOfErrors},
                {promised(kGeneratedData, kPromisedMinusKept), kOfRounding},
                {{.experiment = kCrossFit,
                  .data = kBlood,
                  .experts = kVariable,
                  .method = kModel,
                  .setting = kOutOfFold,
                  .scale = kProbability,
                  .measure = kMeanConfidence},
                 kOfErrors}});
}

// How far class-indexed policies move has a band, but not at most, and not at every renaming.
TEST(Expectations, WhatRenamingDoesHasBands) {
  const auto changed = [](const MeasureName& measure, double number) {
    return cell_with(change_of(kPopQi), [&](Cell& c) { c.measure = measure, c.x = number; });
  };
  expect_bands({{changed(kMeanMarginChange, 1), kOfErrors},
                {changed(kShareRerouted, 1), 4 * kOfErrors / 3}});
  std::vector<ResultRow> rows;
  for (const double number : {1., 2.}) {
    for (const MeasureName& measure : {kLargestMarginChange, kMeanMarginChange, kShareRerouted}) {
      rows.push_back({changed(measure, number), 0, .2});
      // Who does not move anything reroutes nothing; to move and not to reroute is no law.
      Cell still = changed(measure, number), hardly = still;
      still.method = kIfdPeak;
      hardly.method = kPopQc;
      rows.push_back({still, 0, 0});
      rows.push_back({hardly, 0, measure == kShareRerouted ? 0 : .2});
    }
  }
  const Expectations proposed = propose_expectations(Summary(rows), .05);
  EXPECT_EQ(proposed.bands.size(), 3u + 2u + 2u);
  for (const Band& band : proposed.bands) {
    EXPECT_EQ(band.low == band.high, band.cell.method == kIfdPeak) << to_text(band.cell);
  }
}

// All draws of a scorer's answers meet one training, so the interval over recordings, .08 wide,
// says how far a number may move.
TEST(Expectations, PoliciesOfScorersHaveBandsByTheirIntervalOverRecordings) {
  const auto scored = [](const MethodName& method, const MeasureName& measure, double x = 0) {
    return Cell{.experiment = kScorers,
                .data = kDodhData,
                .experts = kTwoScorers,
                .group = kEverybody,
                .method = method,
                .setting = kFifteenPerClass,
                .scale = kProbability,
                .measure = measure,
                .x = x};
  };
  expect_bands({{scored(kIfdPeak, kAursac), .04},
                {scored(kIfdPeak, minus_plug_in(kAursacTo10)), .04},
                {scored(kPopQi, minus_ifd_peak(kAursac)), .04},
                {scored(kPopQi, minus_ifd_peak(kSystemAccuracy), .1), .04},
                {scored(kPlugIn, kAursac), kOfRounding}});
}

// A study whose experiments were run one by one, whatever the order, has the expectations of one
// run of all; what is measured again is what it is now.
TEST(Expectations, RunsOfPartsAddUpToTheWhole) {
  std::vector<ResultRow> all = invented();
  for (ResultRow row : invented()) {
    if (row.experiment != kTable1) continue;
    row.experiment = kImageNet16H;
    all.push_back(row);
  }
  const auto of = [&](const std::set<ExperimentName>& experiments, double shift) {
    std::vector<ResultRow> rows;
    for (ResultRow row : all) {
      if (!experiments.contains(row.experiment)) continue;
      row.value += shift;
      rows.push_back(row);
    }
    const Summary summary(rows);
    const Expectations proposed = propose_expectations(summary, .02);
    return Proposal{proposed, banded_means(summary, proposed)};
  };
  // Runs one after the other into one file; each has these experiments.
  const auto after = [&](const std::vector<std::set<ExperimentName>>& runs, double first_shift) {
    Proposal file;
    for (const auto& experiments : runs) {
      const double shift = file.means.empty() ? first_shift : 0;
      file = with_others_of(file, of(experiments, shift), experiments);
    }
    return file;
  };
  const std::set<ExperimentName> every = {kTable1, kInvariance, kImageNet16H};
  const Proposal whole = after({every}, 0);
  EXPECT_EQ(whole.expectations.bands.size(), 5u);
  EXPECT_EQ(whole.expectations.orders.size(), 2u);
  EXPECT_NE(after({every}, .1).expectations, whole.expectations);
  for (const Proposal& parts :
       {after({{kTable1, kInvariance}, {kImageNet16H}}, 0),
        after({{kImageNet16H}, {kTable1, kInvariance}}, 0), after({{kTable1}, every}, .1),
        after({{kTable1}, {kInvariance}, {kImageNet16H}, {kTable1}}, .1)}) {
    EXPECT_EQ(parts.expectations, whole.expectations);
    EXPECT_EQ(parts.means, whole.means);
  }
}

TEST(Expectations, MalformedFilesAreOneClearLine) {
  for (const auto& [json, part] : std::vector<std::pair<std::string, std::string>>{
           {"", "quick.json: the text is not JSON"},
           {"{\"bands\": " + std::string(70000, '['), "deeper than 32 levels"},
           {"[1]", "not a JSON object"},
           {"{}", "quick.json: expects nothing; expected one band or order at least"},
           {R"({"bands": [], "orders": []})", "quick.json: expects nothing"},
           {R"({"band": []})", "'band'; expected"},
           {R"({"bands": 3})", "'bands' is not a list"},
           {R"({"bands": [7]})", "band 1: expected an object"},
           {R"({"bands": [{"experiment": "toy", "measure": "aursac", "high": 1}]})",
            "band 1: 'low' is missing"},
           {R"({"bands": [{"experiment": "toy", "measure": "aursac", "low": 2, "high": 1}]})",
            "low 2 is above high 1"},
           {R"({"bands": [{"experiment": "toy", "kind": "a", "low": 0, "high": 1}]})",
            "'kind' is not a column"},
           {R"({"bands": [{"experiment": "toy", "low": 0, "high": 1}]})", "'measure' is missing"},
           {R"({"orders": [{"upper": {"experiment": "toy", "measure": "a"}}]})", "order 1"},
       }) {
    SCOPED_TRACE(json);
    EXPECT_THAT(message_of(json), HasSubstr(part));
    EXPECT_THAT(message_of(json), HasSubstr("quick.json"));
    EXPECT_EQ(message_of(json).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace ifd::experiments
