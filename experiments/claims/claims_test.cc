#include "experiments/claims/claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/claims/invented_results.h"
#include "experiments/claims/named_cells.h"

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

// Few cohorts: a claim is checked the same way whatever their number.
Invention small() {
  Invention of;
  of.cohorts = 3;
  return of;
}

TEST(Claims, FlipWhenTheNumbersFlip) {
  EXPECT_EQ(claim_of(small(), "ifd-ahead-ood").verdict(), Verdict::kHolds);
  Invention of = small();
  of.level[kIfdPeak] = .80;
  EXPECT_EQ(claim_of(of, "ifd-ahead-ood").verdict(), Verdict::kFails);
  of.level[kPopQi] = .78;
  const Claim mixed = claim_of(of, "ifd-ahead-ood");
  EXPECT_EQ(mixed.verdict(), Verdict::kInPart);
  EXPECT_EQ(verdict_text(mixed), "holds in 2 of 4");

  EXPECT_EQ(claim_of(small(), "pop-falls").verdict(), Verdict::kHolds);
  of = small();
  of.fall[kPopQi] = of.fall[kPopQc] = -.02;
  EXPECT_EQ(claim_of(of, "pop-falls").verdict(), Verdict::kFails);
  EXPECT_EQ(claim_of(of, "ifd-falls-less").verdict(), Verdict::kFails);

  EXPECT_EQ(claim_of(small(), "ifd-does-not-fall").verdict(), Verdict::kHolds);
  of = small();
  of.fall[kIfdPeak] = .05;
  EXPECT_EQ(claim_of(of, "ifd-does-not-fall").verdict(), Verdict::kFails);

  EXPECT_EQ(claim_of(small(), "plug-in-near-ceiling").verdict(), Verdict::kHolds);
  of = small();
  of.level[kCeiling] = .99;
  EXPECT_EQ(claim_of(of, "plug-in-near-ceiling").verdict(), Verdict::kFails);

  EXPECT_EQ(claim_of(small(), "residual-above-plug-in").verdict(), Verdict::kHolds);
  of = small();
  of.level[kIfdResidual] = .85;
  EXPECT_EQ(claim_of(of, "residual-above-plug-in").verdict(), Verdict::kFails);

  EXPECT_EQ(claim_of(small(), "calibration-helps").verdict(), Verdict::kHolds);
  of = small();
  of.level[kPlugInContextCalibrated] = .90;
  EXPECT_EQ(claim_of(of, "calibration-helps").verdict(), Verdict::kFails);
}

// Invented gains are the same in every cohort; people gain .03 less than simulated experts, and
// scorers .015 less.
TEST(Claims, CombiningIsHeldToWhatWasExpectedOfIt) {
  EXPECT_EQ(claim_of(small(), "combining-helps").verdict(), Verdict::kHolds);
  EXPECT_EQ(claim_of(small(), "combining-never-hurts").verdict(), Verdict::kHolds);
  Invention of = small();
  of.combining = .028;
  EXPECT_EQ(verdict_text(claim_of(of, "combining-helps")), "holds in 1 of 5");
  EXPECT_EQ(verdict_text(claim_of(of, "combining-never-hurts")), "holds in 9 of 13");
  of.combining = .0295;
  EXPECT_EQ(claim_of(of, "combining-never-hurts").verdict(), Verdict::kHolds);
}

// Draws of the contexts are no sample of nights: the interval is the one over recordings, +-.004.
TEST(Claims, IntervalsOfScorersAreOverRecordings) {
  Invention of = small();
  of.combining = .029;
  const Claim claim = claim_of(of, "combining-helps");
  const Finding& scorers = claim.findings.back();
  EXPECT_EQ(scorers.where, "DOD-H, 2 scorers");
  EXPECT_TRUE(scorers.open);
  EXPECT_THAT(scorers.numbers,
              HasSubstr("+0.014 (+0.010 to +0.018), 3 of 3; +0.0140 to four digits"));
}

// The certificate allows nothing: the smallest change of a margin breaks the claim.
TEST(Claims, ExactInvarianceIsExact) {
  EXPECT_EQ(claim_of(small(), "exactly-invariant").verdict(), Verdict::kHolds);
  Invention of = small();
  of.largest_change_of_ifd = 1e-300;
  EXPECT_EQ(claim_of(of, "exactly-invariant").verdict(), Verdict::kFails);
}

TEST(Claims, WithoutNumbersNothingIsClaimed) {
  for (const Claim& claim : check_claims(Summary({}))) {
    EXPECT_EQ(verdict_text(claim), "not measured") << claim.id;
  }
}

// By hand: the interval of (+.3, -.1) includes 0, that of (+.3, +.3) does not.
TEST(Claims, SayWhereMoreCohortsCouldTurnThem) {
  const auto rows = [](double first, double second) {
    std::vector<ResultRow> all;
    for (const auto& [cohort, ahead] : {std::pair{0, first}, std::pair{1, second}}) {
      all.push_back({area(DataName("blood"), kVariable, kOod, kIfdPeak), cohort, .5 + ahead});
      all.push_back({area(DataName("blood"), kVariable, kOod, kPopQi), cohort, .5});
    }
    return all;
  };
  const Claim unsure = check_claims(Summary(rows(.3, -.1))).front();
  ASSERT_EQ(unsure.findings.size(), 1u);
  EXPECT_TRUE(unsure.findings[0].holds);
  EXPECT_TRUE(unsure.findings[0].open);
  EXPECT_THAT(unsure.findings[0].numbers, HasSubstr("+0.100"));
  EXPECT_THAT(unsure.findings[0].numbers, HasSubstr("1 of 2; published +0.06"));
  EXPECT_FALSE(check_claims(Summary(rows(.3, .3))).front().findings[0].open);
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
