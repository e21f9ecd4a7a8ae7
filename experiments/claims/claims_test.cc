#include "experiments/claims/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "experiments/claims/claim_evidence.h"
#include "experiments/claims/headline.h"
#include "experiments/claims/named_cells.h"
#include "tests/invented_results.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;
using Verdict = Claim::Verdict;

Claim claim_of(const Invention& of, const std::string& id) {
  for (Claim& claim : check_claims(Summary(invent(of).rows()))) {
    if (claim.id == id) return claim;
  }
  ADD_FAILURE() << "no claim " << id;
  return {};
}

// Few cohorts: a claim is checked the same way whatever their number. Little noise, so that three
// of them decide.
Invention small() {
  Invention of;
  of.cohorts = 3;
  of.noise = .0004;
  of.level[kIfdResidual] = .94;
  return of;
}

TEST(Claims, FlipWhenTheNumbersFlip) {
  EXPECT_EQ(claim_of(small(), "ifd-ahead-ood").verdict(), Verdict::kShown);
  Invention of = small();
  of.level[kIfdPeak] = .80;
  EXPECT_EQ(claim_of(of, "ifd-ahead-ood").verdict(), Verdict::kContradicted);
  of.level[kPopQi] = .78;
  const Claim mixed = claim_of(of, "ifd-ahead-ood");
  EXPECT_EQ(mixed.verdict(), Verdict::kContradicted);
  EXPECT_EQ(verdict_text(mixed), "shown in 2, contradicted in 2");

  EXPECT_EQ(claim_of(small(), "pop-falls").verdict(), Verdict::kShown);
  of = small();
  of.fall[kPopQi] = of.fall[kPopQc] = -.02;
  EXPECT_EQ(claim_of(of, "pop-falls").verdict(), Verdict::kContradicted);
  EXPECT_EQ(claim_of(of, "ifd-falls-less").verdict(), Verdict::kContradicted);

  EXPECT_EQ(claim_of(small(), "ifd-does-not-fall").verdict(), Verdict::kShown);
  of = small();
  of.fall[kIfdPeak] = .05;
  EXPECT_EQ(claim_of(of, "ifd-does-not-fall").verdict(), Verdict::kContradicted);

  EXPECT_EQ(claim_of(small(), "plug-in-near-ceiling").verdict(), Verdict::kShown);
  of = small();
  of.level[kCeiling] = .99;
  EXPECT_EQ(claim_of(of, "plug-in-near-ceiling").verdict(), Verdict::kContradicted);

  EXPECT_EQ(claim_of(small(), "residual-ahead-of-plug-in").verdict(), Verdict::kShown);
  of = small();
  of.level[kIfdResidual] = .85;
  EXPECT_EQ(claim_of(of, "residual-ahead-of-plug-in").verdict(), Verdict::kContradicted);

  EXPECT_EQ(claim_of(small(), "calibration-helps-deferral").verdict(), Verdict::kShown);
  of = small();
  of.deferral = 0;  // the model's own answers gain as before
  EXPECT_EQ(claim_of(of, "calibration-helps-deferral").verdict(), Verdict::kContradicted);
}

// Invented gains are the same in every cohort; people gain .03 less than simulated experts, and
// scorers .015 less.
TEST(Claims, CombiningIsHeldToWhatWasExpectedOfIt) {
  EXPECT_EQ(claim_of(small(), "combining-helps").verdict(), Verdict::kShown);
  EXPECT_EQ(claim_of(small(), "combining-never-hurts").verdict(), Verdict::kShown);
  Invention of = small();
  of.combining = .028;
  EXPECT_EQ(verdict_text(claim_of(of, "combining-helps")), "contradicted in 4, open in 1");
  EXPECT_EQ(verdict_text(claim_of(of, "combining-never-hurts")), "shown in 9, contradicted in 4");
  of.combining = .0295;
  EXPECT_EQ(claim_of(of, "combining-never-hurts").verdict(), Verdict::kShown);
}

// Draws of the contexts are no sample of nights: the interval is the one over recordings, +-.004.
TEST(Claims, IntervalsOfScorersAreOverRecordings) {
  Invention of = small();
  of.combining = .032;
  const Claim claim = claim_of(of, "combining-helps");
  const Finding& scorers = claim.findings.back();
  EXPECT_EQ(scorers.where, "DOD-H, 2 scorers");
  EXPECT_EQ(scorers.outcome, Outcome::kShown);
  EXPECT_THAT(scorers.numbers,
              HasSubstr("+0.017 (+0.013 to +0.021), 3 of 3; +0.0170 to four digits"));
}

// The certificate allows nothing: the smallest change of a margin breaks the claim.
TEST(Claims, ExactInvarianceIsExact) {
  EXPECT_EQ(claim_of(small(), "exactly-invariant").verdict(), Verdict::kShown);
  Invention of = small();
  of.largest_change_of_ifd = 1e-300;
  EXPECT_EQ(claim_of(of, "exactly-invariant").verdict(), Verdict::kContradicted);
}

TEST(Claims, BlameTheSuspectThatTheNumbersShow) {
  EXPECT_EQ(claim_of(small(), "calibration-on-training-cases").verdict(), Verdict::kShown);
  EXPECT_EQ(claim_of(small(), "calibration-on-balanced-classes").verdict(), Verdict::kOpen);
  Invention of = small();
  of.trained_on = -.01;
  EXPECT_EQ(claim_of(of, "calibration-on-training-cases").verdict(), Verdict::kContradicted);
}

// Who the ID people are depends on the protocol, and is told.
TEST(Claims, SayWhoTheIdPeopleAre) {
  EXPECT_THAT(claim_of(small(), "people-order").reading, HasSubstr("Nobody was trained on the ID"));
  std::vector<ResultRow> rows = invent(small()).rows();
  std::erase_if(rows, [](const ResultRow& row) {
    return row.experiment == kImageNet16H && row.group == kSeen;
  });
  EXPECT_THAT(who_id_people_are(Summary(rows)), HasSubstr("the very people of the training"));
}

TEST(Claims, WithoutNumbersNothingIsClaimed) {
  for (const Claim& claim : check_claims(Summary({}))) {
    EXPECT_EQ(verdict_text(claim), "not measured") << claim.id;
  }
}

// By hand: the interval of (+.3, -.1) includes 0, those of (+.3, +.3) and (-.3, -.3) do not; one
// cohort has none.
TEST(Claims, TheIntervalDecides) {
  const auto outcome = [](std::vector<double> ahead) {
    std::vector<ResultRow> all;
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      const int cohort = static_cast<int>(i);
      all.push_back({area(DataName("blood"), kVariable, kOod, kIfdPeak), cohort, .5 + ahead[i]});
      all.push_back({area(DataName("blood"), kVariable, kOod, kPopQi), cohort, .5});
    }
    const Claim claim = check_claims(Summary(all)).front();
    EXPECT_EQ(claim.findings.size(), 1u);
    EXPECT_THAT(claim.findings[0].numbers, HasSubstr("published +0.06"));
    return claim.findings[0].outcome;
  };
  EXPECT_EQ(outcome({.3, -.1}), Outcome::kOpen);
  EXPECT_EQ(outcome({.3, .3}), Outcome::kShown);
  EXPECT_EQ(outcome({-.3, -.3}), Outcome::kContradicted);
  EXPECT_EQ(outcome({.3}), Outcome::kOpen);
  EXPECT_EQ(outcome({0, 0}), Outcome::kOpen) << "level is not ahead";
}

TEST(Claims, LevelMeansInsideTheBand) {
  EXPECT_EQ(inside(Interval{-.01, .01}, .01), Outcome::kShown);
  EXPECT_EQ(inside(Interval{-.01, .02}, .01), Outcome::kOpen);
  EXPECT_EQ(inside(Interval{-.05, .05}, .01), Outcome::kOpen);
  EXPECT_EQ(inside(Interval{.011, .02}, .01), Outcome::kContradicted);
  EXPECT_EQ(inside(Interval{-.03, -.011}, .01), Outcome::kContradicted);
  EXPECT_EQ(inside({}, .01), Outcome::kOpen);
}

// A fall of pop that the ceiling has, too, is the classes'.
TEST(Claims, FallsAreBeyondThoseOfTheCeiling) {
  Invention of = small();
  of.fall[kCeiling] = .06;
  EXPECT_EQ(claim_of(of, "pop-falls").verdict(), Verdict::kContradicted);
  EXPECT_EQ(claim_of(of, "ifd-does-not-fall").verdict(), Verdict::kShown);
}

// Epoch 0 is plug-in, so being level with it is no success of training.
TEST(Claims, WhatCouldNotFailCanFail) {
  Invention of = small();
  of.level[kIfdResidual] = of.level[kPlugIn];
  of.noise = 0;
  EXPECT_EQ(claim_of(of, "residual-ahead-of-plug-in").verdict(), Verdict::kContradicted);
  EXPECT_EQ(claim_of(small(), "residual-ahead-of-plug-in").formerly, "residual-above-plug-in");
  EXPECT_NE(claim_of(small(), "lcb-ahead").verdict(), Verdict::kShown);
  EXPECT_NE(claim_of(small(), "gains-grow-with-noise").verdict(), Verdict::kShown);
}

TEST(Claims, HeadlineIntervalsAreWiderBecauseThereAreSeveral) {
  const Headline list = headline(Summary(invent(small()).rows()));
  ASSERT_EQ(list.comparisons.size(), 14u);
  EXPECT_DOUBLE_EQ(list.coverage, 1 - .05 / 14);
  for (const HeadlineComparison& comparison : list.comparisons) {
    SCOPED_TRACE(comparison.text);
    ASSERT_TRUE(comparison.difference && comparison.interval);
    const Interval& alone = *comparison.difference->mean.interval;
    const double own = comparison.interval->high - comparison.interval->low;
    // Student's factor for two degrees at .95: 4.303.
    EXPECT_NEAR(own, (alone.high - alone.low) * student_factor(list.coverage, 2) / 4.30265, 1e-4);
  }
  EXPECT_EQ(list.comparisons.front().outcome, Outcome::kShown);
}

// One comparison for README and report: everybody whom no policy met. In the paper's protocol,
// where nobody is called seen, the ID people are those of the training.
TEST(Claims, TheHeadlineCountsNobodyAsUnseenWhoTrained) {
  std::vector<ResultRow> rows = invent(small()).rows();
  for (ResultRow& row : rows) {
    const bool id_people = row.experiment == kImageNet16H && row.group == kId;
    if (id_people && row.method == kPlugIn && row.measure == kAursac) row.value += .1;
  }
  const auto plug_in_minus_peak = [](const std::vector<ResultRow>& of) {
    const Headline list = headline(Summary(of));
    return std::ranges::find(list.comparisons,
                             "plug-in minus ifd-peak, all unseen experts, simulated and people",
                             &HeadlineComparison::text)
        ->difference->mean.value;
  };
  const double with_id = plug_in_minus_peak(rows);
  std::erase_if(rows, [](const ResultRow& row) {
    return row.experiment == kImageNet16H && row.group == kSeen;
  });
  EXPECT_GT(with_id, plug_in_minus_peak(rows) + .01);
}

// What follows from the design is told apart, and counted nowhere.
TEST(Claims, WhatCannotFailIsNotCounted) {
  const std::vector<Claim> claims = check_claims(Summary(invent(small()).rows()));
  std::vector<std::string> by_construction;
  for (const Claim& claim : claims) {
    if (claim.by_construction) by_construction.push_back(claim.id);
  }
  EXPECT_THAT(by_construction, testing::ElementsAre("fewer-annotations", "baselines-move"));
  const ClaimCounts count = count_claims(claims);
  EXPECT_EQ(count.measured + count.missing, claims.size() - 2);
  EXPECT_EQ(count.shown + count.in_part + count.contradicted + count.open, count.measured);
}

TEST(Claims, APriorIsTestedAtTheSizeThatWasPublished) {
  const Claim claim = claim_of(small(), "priors-overcome-in-aursac");
  ASSERT_FALSE(claim.findings.empty());
  EXPECT_THAT(claim.findings.front().where,
              HasSubstr("S=10 with 30 answers per class (published 30)"));
}

// The prior is overcome from the first size on after which it never leaves the distance again.
TEST(Claims, APriorIsOvercomeForGood) {
  std::vector<ResultRow> rows;
  const DataName ham("ham");
  const auto add = [&](const Setting& setting, double n, double error) {
    rows.push_back({{.experiment = kPriors,
                     .data = ham,
                     .experts = kStable,
                     .group = kOod,
                     .setting = setting,
                     .scale = kProbability,
                     .measure = kMeanAbsoluteError,
                     .x = n},
                    0,
                    error});
  };
  for (const double n : {0., 5., 10., 20.}) add(kUninformativePrior, n, .10);
  add(prior_of_strength("adversarial", 10), 0, .11);
  add(prior_of_strength("adversarial", 10), 5, .30);
  add(prior_of_strength("adversarial", 10), 10, .119);
  add(prior_of_strength("adversarial", 10), 20, .10);
  add(prior_of_strength("adversarial", 30), 20, .30);
  const Summary summary(rows);
  EXPECT_EQ(prior_overcome_at(summary, ham, kStable, prior_of_strength("adversarial", 10)), 10);
  EXPECT_EQ(prior_overcome_at(summary, ham, kStable, prior_of_strength("adversarial", 30)),
            std::nullopt);
  EXPECT_EQ(prior_overcome_at(summary, ham, kStable, prior_of_strength("adversarial", 100)),
            std::nullopt);
}

}  // namespace
}  // namespace ifd::experiments
