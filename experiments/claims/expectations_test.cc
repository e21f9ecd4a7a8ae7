#include "experiments/claims/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

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

// For each kind of number: half a band away is fine, one and a half bands away is not.
TEST(Expectations, ANumberThatMovesByMoreThanItsBandIsFound) {
  const auto with = [](Cell cell, auto change) {
    change(cell);
    return cell;
  };
  const Cell trained = area(kBlood, kVariable, kOod, kIfdPeak);
  const auto beyond_paper = [](Cell& c) {
    c.experiment = kBeyond;
    c.experts = kDrift;
    c.setting = kOldContexts;
    c.x = .5;
  };
  const std::vector<Cell> kinds = {
      trained,
      with(trained, [](Cell& c) { c.measure = kAurdac; }),
      with(trained, [](Cell& c) { c.measure = kAursacTo10; }),
      with(trained, [](Cell& c) { c.measure = kModelAlone; }),
      with(trained, [](Cell& c) { c.measure = kSystemAccuracy, c.x = .05; }),
      with(trained, beyond_paper),
      with(trained, [](Cell& c) { c.experiment = kPriors, c.measure = kMeanAbsoluteError; }),
      with(trained, [](Cell& c) { c.experiment = kPriors, c.setting = kUninformativePrior; }),
      area(kGeneratedData, kVariable, kOod, kPlugIn),
      area(kGeneratedData, kVariable, kOod, kPopQi),
      people_area(kTwoPeople, kOod, kPlugIn, 95)};
  std::vector<ResultRow> rows;
  for (const Cell& cell : kinds) {
    for (int cohort = 0; cohort < 3; ++cohort) rows.push_back({cell, cohort, .7 + .01 * cohort});
  }
  const std::set<ExperimentName> all = {kTable1, kBeyond, kPriors, kImageNet16H};
  const Expectations proposed = propose_expectations(Summary(rows), .05);
  ASSERT_EQ(proposed.bands.size(), kinds.size());
  for (const Band& band : proposed.bands) {
    SCOPED_TRACE(to_text(band.cell));
    const bool exact = band.cell.method == kPlugIn;
    // Three standard errors (four for AURDAC) of three values .01 apart, .01 / sqrt(3) each; the
    // slack where these are repeats under one training.
    const bool repeats = band.cell.experiment == kPriors;
    const double errors = band.cell.measure == kAurdac ? 4 : 3;
    const double reach = exact ? 1e-6 : repeats ? .05 : errors * .01 / std::sqrt(3.0);
    EXPECT_NEAR(band.high - band.low, 2 * reach, 1e-6);
    const auto moved = [&](double bands) {
      auto others = rows;
      for (ResultRow& row : others) {
        if (static_cast<const Cell&>(row) == band.cell) {
          row.value += bands * (band.high - band.low) / 2;
        }
      }
      return violations(Summary(others), {proposed.bands, {}}, all);
    };
    EXPECT_THAT(moved(.5), IsEmpty());
    EXPECT_EQ(moved(1.5).size(), 1u);
    EXPECT_EQ(moved(-1.5).size(), 1u);
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
