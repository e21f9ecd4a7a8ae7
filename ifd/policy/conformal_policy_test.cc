#include "ifd/policy/conformal_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/scoring.h"
#include "ifd/random/keyed_random.h"
#include "tests/generated_staff.h"
#include "tests/profile_of.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

Predictions cases_of(std::size_t classes, std::vector<float> p, std::vector<ClassId> labels = {}) {
  return Predictions({ClassNames::numbered(classes), {}, std::move(p), std::move(labels), {}, 0});
}

// n cases of two classes whose truth, class 0, has the probabilities 1/64, 2/64, ...
Predictions ladder(std::size_t n) {
  std::vector<float> p;
  for (std::size_t i = 1; i <= n; ++i) {
    const float of_truth = static_cast<float>(i) / 64;
    p.insert(p.end(), {of_truth, 1 - of_truth});
  }
  return cases_of(2, std::move(p), std::vector<ClassId>(n, ClassId{0}));
}

// By hand: of 9 cases the ceil(10 * .9) = 9th largest, of 19 the 18th, of 20 the 19th; of 8 there
// is no 9th, and every class is in the set.
TEST(ConformalSets, TakesTheFiniteSampleQuantile) {
  EXPECT_EQ(ConformalSets(ladder(9)).threshold(), 1.F / 64);
  EXPECT_EQ(ConformalSets(ladder(19)).threshold(), 2.F / 64);
  EXPECT_EQ(ConformalSets(ladder(20)).threshold(), 2.F / 64);
  EXPECT_EQ(ConformalSets(ladder(8)).threshold(), 0);
}

TEST(ConformalSets, NoSetIsEmpty) {
  std::vector<float> p;
  for (int i = 0; i < 20; ++i) p.insert(p.end(), {.75F, .125F, .125F});
  const ConformalSets sets(cases_of(3, p, std::vector<ClassId>(20, ClassId{0})));
  ASSERT_EQ(sets.threshold(), .75F);
  std::vector<float> member(3);
  EXPECT_EQ(sets.mark(std::vector<float>{.25F, .5F, .25F}, member), 1u);
  EXPECT_THAT(member, ElementsAre(0, 1, 0));
  EXPECT_EQ(sets.mark(std::vector<float>{.375F, .25F, .375F}, member), 2u);
  EXPECT_THAT(member, ElementsAre(1, 0, 1));
}

// The law of split conformal prediction (Vovk): over draws of calibration and new case together the
// set holds the truth with probability at least .9, and at most .9 + 1/(n + 1) without ties,
// whether the model's probabilities are right or not.
TEST(ConformalSets, CoverNineOfTen) {
  constexpr std::size_t kDraws = 6000;
  constexpr std::size_t kClasses = 5;
  for (const std::size_t n : {9, 30, 95}) {
    std::size_t covered = 0;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
      const Key key = Key(draw).with("coverage").with(n);
      std::vector<double> logits((n + 1) * kClasses);
      std::vector<ClassId> labels;
      for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = 2 * key.normal(i);
      for (std::size_t i = 0; i <= n; ++i) {
        // The truth follows class 1 too often: a miscalibrated model.
        const Key of_case = key.with("truth").with(i);
        const auto row = std::span(logits).subspan(i * kClasses, kClasses);
        const auto top = static_cast<std::size_t>(std::ranges::max_element(row) - row.begin());
        labels.push_back(class_id(of_case.uniform() < .6 ? top : of_case.below(2, 1)));
      }
      const auto p = Predictions::from_logits(logits, kClasses);
      const ClassId truth = labels.back();
      labels.pop_back();
      const std::vector<float> last(p.end() - kClasses, p.end());
      const ConformalSets sets(cases_of(kClasses, {p.begin(), p.end() - kClasses}, labels));
      std::vector<float> member(kClasses);
      sets.mark(last, member);
      covered += member[index(truth)] > 0 ? 1 : 0;
    }
    const double share = static_cast<double>(covered) / kDraws;
    const double error = std::sqrt(.09 / kDraws);
    EXPECT_GE(share, .9 - 4 * error) << n;
    EXPECT_LE(share, .9 + 1.0 / static_cast<double>(n + 1) + 4 * error) << n;
  }
}

// Means .75 .25 .5 and .25 .75 .75. The threshold is .25.
TEST(Conformal, IsTheMeanOverTheSetAgainstTheModelsShareOfIt) {
  const Roster roster{{"ann", "bob"},
                      {profile_of({{2, 2}, {2, 0}, {0, 0}}), profile_of({{2, 0}, {2, 2}, {2, 2}})}};
  std::vector<float> past;
  for (int i = 0; i < 20; ++i) past.insert(past.end(), {.25F, .375F, .375F});
  const ConformalSets sets(cases_of(3, past, std::vector<ClassId>(20, ClassId{0})));
  const auto p = cases_of(3, {.5F, .125F, .375F, .75F, .125F, .125F});
  const auto margins = [&](MarginScale scale) {
    return all_margins(*conformal_policy(roster, sets, scale), p, Availability(2));
  };
  const double model = .5 / .875;
  const double ann = (.75 + .5) / 2;
  const double bob = (.25 + .75) / 2;
  EXPECT_THAT(margins(MarginScale::kProbability),
              ElementsAre(DoubleNear(ann - model, 1e-9), DoubleNear(bob - model, 1e-9),
                          DoubleNear(.75 - .75 - 2, 1e-9), DoubleNear(.25 - .75 - 2, 1e-9)));
  EXPECT_THAT(
      margins(MarginScale::kLogit),
      ElementsAre(DoubleNear(std::log(ann / model), 1e-9), DoubleNear(std::log(bob / model), 1e-9),
                  DoubleNear(-1024, 1e-9), DoubleNear(std::log(.25 / .75) - 1024, 1e-9)));
}

struct ConformalWorld {
  GeneratedStaff staff;
  Roster roster;
  PolicyMaterials materials() const {
    PolicyMaterials made{roster};
    made.contexts = staff.contexts;
    made.context_predictions = &staff.context;
    return made;
  }
};

ConformalWorld conformal_world(std::uint64_t seed, std::size_t experts) {
  GeneratedStaff staff = generated_staff(seed, experts, 2 + seed % 5, 3 + seed % 20);
  Roster roster = make_roster(staff.contexts, staff.cases.classes().size());
  return {std::move(staff), std::move(roster)};
}

// Against the definition, with sorting and sets in place of thresholds; and sets of several classes
// are exactly the margins from -1 on.
TEST(Conformal, AgreesWithTheDefinition) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const ConformalWorld world = conformal_world(seed, 3);
    const auto margins = all_margins(*make_policy("conformal", world.materials()),
                                     world.staff.cases, Availability(3));
    std::set<std::string> named;
    std::vector<double> scores;
    for (const ExpertContext& context : world.staff.contexts) {
      for (const ContextRow& row : context.rows) {
        if (!named.insert(row.case_name).second) continue;
        for (std::size_t i = 0; i < world.staff.context.size(); ++i) {
          if (world.staff.context.case_name(i) != row.case_name) continue;
          scores.push_back(1 - double{world.staff.context.probabilities(i)[index(row.truth)]});
        }
      }
    }
    std::sort(scores.begin(), scores.end());
    const std::size_t rank = (9 * (scores.size() + 1) + 9) / 10;
    const double quantile = rank <= scores.size() ? scores[rank - 1] : 2;
    for (std::size_t i = 0; i < world.staff.cases.size(); ++i) {
      const auto p = world.staff.cases.probabilities(i);
      const double top = *std::ranges::max_element(p);
      std::set<std::size_t> in_set;
      for (std::size_t k = 0; k < p.size(); ++k) {
        if (1 - double{p[k]} <= quantile) in_set.insert(k);
      }
      for (std::size_t k = 0; in_set.empty() && k < p.size(); ++k) {
        if (p[k] == top) in_set.insert(k);
      }
      for (std::size_t j = 0; j < 3; ++j) {
        double mean = 0;
        double mass = 0;
        for (const std::size_t k : in_set) {
          mean += world.roster.profiles[j].means()[k] / static_cast<double>(in_set.size());
          mass += p[k];
        }
        const double expected = in_set.size() > 1 ? mean - top / mass : mean - top - 2;
        EXPECT_NEAR(margins[i * 3 + j], expected, 1e-9);
        EXPECT_EQ(margins[i * 3 + j] >= -1, in_set.size() > 1);
      }
    }
  }
}

TEST(Conformal, SaysWhenNoCaseOfTheContextIsThere) {
  const ConformalWorld world = conformal_world(1, 2);
  PolicyMaterials materials = world.materials();
  const std::vector<ExpertContext> nobody;
  materials.contexts = nobody;
  EXPECT_THAT(refusal([&] { make_policy("conformal", materials); }),
              HasSubstr("none of them is there"));
}

}  // namespace
}  // namespace ifd
