#include "ifd/policy/cost_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ifd/policy/assignment.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/scoring.h"
#include "ifd/policy/untrained.h"
#include "ifd/random/keyed_random.h"
#include "tests/profile_of.h"
#include "tests/refusal.h"
#include "tests/small_cost_table.h"

namespace ifd {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;

using CostsOfTest = std::shared_ptr<const ExpectedCosts>;

CostsOfTest expected(Costs costs) {
  return std::make_shared<const ExpectedCosts>(std::make_shared<const Costs>(std::move(costs)));
}

std::vector<double> scored(const DeferralPolicy& policy, const Predictions& p) {
  std::vector<double> margins(p.size() * policy.experts());
  policy.score(p, {0, p.size()}, margins);
  return margins;
}

// The definition: every truth, every answer, with its chance and its cost.
double expert_cost(const SmallTable& table, const Costs& costs, std::size_t expert) {
  const std::size_t k = table.classes();
  double sum = costs.fee(table.roster.names[expert]);
  for (std::size_t y = 0; y < k; ++y) {
    const double right = table.roster.profiles[expert].means()[y];
    for (std::size_t m = 0; m < k; ++m) {
      const double chance = m == y ? right : (1 - right) / static_cast<double>(k - 1);
      sum += static_cast<double>(table.probabilities[y]) * chance * table.costs[y * k + m];
    }
  }
  return sum;
}

double label_cost(const SmallTable& table, std::size_t label) {
  const std::size_t k = table.classes();
  double sum = 0;
  for (std::size_t y = 0; y < k; ++y) {
    sum += static_cast<double>(table.probabilities[y]) * table.costs[y * k + label];
  }
  return sum;
}

// Margins are the definition's, and no other decision is expected to cost less.
TEST(CostPolicy, AgreesWithEnumerationOnAMillionSmallTables) {
  constexpr std::uint64_t kTables = 1'000'000;
  constexpr double kRounding = 1e-12;
  ExpectedCosts::Scratch scratch;
  for (std::uint64_t seed = 0; seed < kTables; ++seed) {
    const SmallTable table = small_table(Key(28).with(seed));
    const CostsOfTest costs = expected(table.made());
    std::vector<double> of_labels;
    for (std::size_t k = 0; k < table.classes(); ++k) of_labels.push_back(label_cost(table, k));
    const double least = *std::min_element(of_labels.begin(), of_labels.end());
    const auto answer = costs->model_answer(table.probabilities, scratch);
    const std::vector<double> margins = scored(*cost_policy(table.roster, costs), table.cases());
    double cheapest = least;
    bool agrees = std::abs(of_labels[index(answer.label)] - least) < kRounding &&
                  std::abs(answer.cost - least) < kRounding;
    for (std::size_t j = 0; j < margins.size(); ++j) {
      const double asked = expert_cost(table, costs->costs(), j);
      cheapest = std::min(cheapest, asked);
      agrees = agrees && std::abs(margins[j] - (least - asked)) < kRounding;
    }
    const double best = *std::max_element(margins.begin(), margins.end());
    const double decided = best >= 0 ? least - best : least;
    ASSERT_TRUE(agrees && std::abs(decided - cheapest) < kRounding) << "seed " << seed;
  }
}

// Permutation invariance: classes renamed together, costs along with them.
TEST(CostPolicy, IsInvariantToRenamingTheClasses) {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key = Key(29).with(seed);
    const SmallTable table = small_table(key);
    const SmallTable renamed = table.renamed(key);
    const CostsOfTest costs = expected(table.made()), other = expected(renamed.made());
    ASSERT_EQ(scored(*cost_policy(table.roster, costs), table.cases()),
              scored(*cost_policy(renamed.roster, other), renamed.cases()));
    ExpectedCosts::Scratch scratch;
    ASSERT_EQ(costs->model_answer(table.probabilities, scratch).cost,
              other->model_answer(renamed.probabilities, scratch).cost);
  }
}

// With one cost for every mistake and no fees nothing else is decided than without costs.
TEST(CostPolicy, AnEvenCostGivesSoManyTimesTheMarginsOfPlugIn) {
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    SmallTable table = small_table(Key(30).with(seed));
    const std::size_t k = table.classes();
    const double cost = seed % 2 == 0 ? 1 : 3.7;
    for (std::size_t i = 0; i < k * k; ++i) table.costs[i] = i / k == i % k ? 0 : cost;
    table.fees.clear();
    std::vector<double> plain =
        scored(*plug_in_policy(table.roster, MarginScale::kProbability), table.cases());
    for (double& margin : plain) margin *= cost;
    const CostsOfTest costs = expected(table.made());
    ASSERT_EQ(scored(*cost_policy(table.roster, costs), table.cases()), plain);
    ExpectedCosts::Scratch scratch;
    ASSERT_EQ(costs->label(table.probabilities, scratch), top_class(table.probabilities));
  }
}

// A melanoma missed costs fifty needless biopsies: at 5 % the model already answers melanoma, and
// who tells melanomas apart is worth a fee. By hand: labels cost .95 and 2.5; ann misses one in
// four (12.5 in a hundred of 50, .05 * .25 * 50 = .625) and half the others (.95 * .5 = .475).
TEST(CostPolicy, IsWhatAHandCalculationSays) {
  const ClassNames classes({"mel", "nevus"});
  const CostsOfTest costs = expected(Costs(classes, {0, 50, 1, 0}, {{"ann", .25}}));
  const Predictions one({classes, {}, {.05F, .95F}, {}, {}, 0});
  ExpectedCosts::Scratch scratch;
  EXPECT_EQ(costs->label(one.probabilities(0), scratch), ClassId{0});
  const Roster ann{{"ann"}, {profile_of({{2, 2}, {0, 0}})}};
  EXPECT_THAT(scored(*cost_policy(ann, costs), one),
              ElementsAre(DoubleNear(.95 - .25 - .625 - .475, 1e-6)));
}

// Labels that cost the same: the more probable, then the first.
TEST(ExpectedCosts, AmongEqualCostsTheMoreProbableLabelIsTheAnswer) {
  const ClassNames classes({"a", "b", "c"});
  ExpectedCosts::Scratch scratch;
  // a and b cost .25 * 4 = .5 * 2.
  const CostsOfTest costs = expected(Costs(classes, {0, 4, 9, 2, 0, 9, 0, 0, 0}));
  EXPECT_EQ(costs->label(std::vector<float>{.25F, .5F, .25F}, scratch), ClassId{1});
  const CostsOfTest symmetric = expected(Costs(classes, {0, 1, 2, 1, 0, 2, 2, 2, 0}));
  EXPECT_EQ(symmetric->label(std::vector<float>{.5F, .5F, 0}, scratch), ClassId{0});
}

// What each answer would have saved; an answer outside the classes costs the row's maximum.
TEST(CostOracle, KnowsWhatAskingWouldHaveSaved) {
  const ClassNames classes({"a", "b", "c"});
  const CostsOfTest costs =
      expected(Costs(classes, {0, 5, 9, 1, 0, 1, 1, 1, 0}, {{"ann", 1}, {"bob", 2}}));
  const Predictions one({classes, {}, {0, 1, 0}, {ClassId{0}}, {}, 0});
  AnswerTable answers({"ann", "bob"}, 1);
  answers.set(case_id(0), expert_id(0), ClassId{0});
  answers.set(case_id(0), expert_id(1), Answer::outside());
  EXPECT_THAT(scored(*cost_oracle_policy(answers, costs), one), ElementsAre(5 - 1, 5 - 9 - 2));
}

// Every assignment tried: that of the largest total margin costs least of all.
TEST(CostPolicy, AssignmentsWithinCapacitiesCostLeast) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key = Key(31).with(seed);
    const SmallTable table = small_table(key);
    constexpr std::size_t kCases = 4;
    const std::size_t k = table.classes(), experts = table.roster.size();
    std::vector<float> p;
    for (std::size_t i = 0; i < kCases; ++i) {
      // The probabilities of the table, turned by one class each time.
      for (std::size_t y = 0; y < k; ++y) p.push_back(table.probabilities[(y + i) % k]);
    }
    const Predictions cases({ClassNames::numbered(k), {}, p, {}, {}, 0});
    const CostsOfTest costs = expected(table.made());
    const auto policy = cost_policy(table.roster, costs);
    MostCases most;
    for (const std::string& name : table.roster.names) {
      most[name] = key.with("capacity").with(name).below(3);
    }
    const std::vector<Route> routes =
        WithinCapacities(*policy, cases, table.roster.names, Availability(experts), most, 0)
            .routes({kCases, 0});
    SmallTable one = table;
    std::vector<std::vector<double>> cost_of(kCases);  // of the model, then of each expert
    for (std::size_t i = 0; i < kCases; ++i) {
      const auto row = cases.probabilities(i);
      one.probabilities.assign(row.begin(), row.end());
      ExpectedCosts::Scratch scratch;
      cost_of[i].push_back(costs->model_answer(row, scratch).cost);
      for (std::size_t j = 0; j < experts; ++j) {
        cost_of[i].push_back(expert_cost(one, costs->costs(), j));
      }
    }
    double found = 0;
    for (std::size_t i = 0; i < kCases; ++i) {
      found +=
          cost_of[i][routes[i].decision() == Decision::kExpert ? index(routes[i].expert) + 1 : 0];
    }
    double least = found;
    std::size_t all = 1;
    for (std::size_t i = 0; i < kCases; ++i) all *= experts + 1;
    for (std::size_t code = 0; code < all; ++code) {
      std::vector<std::size_t> taken(experts, 0);
      double total = 0;
      std::size_t rest = code;
      for (std::size_t i = 0; i < kCases; ++i, rest /= experts + 1) {
        const std::size_t who = rest % (experts + 1);
        if (who > 0) ++taken[who - 1];
        total += cost_of[i][who];
      }
      bool allowed = true;
      for (std::size_t j = 0; j < experts; ++j) {
        allowed = allowed && taken[j] <= most.at(table.roster.names[j]);
      }
      if (allowed) least = std::min(least, total);
    }
    ASSERT_NEAR(found, least, 1e-12);
  }
}

// Margins that are no expected costs cannot be weighed against fees.
TEST(CostPolicy, OtherPoliciesAreRefused) {
  PolicySettings settings;
  settings.costs = expected(Costs(ClassNames({"a", "b"}), {0, 2, 1, 0}));
  for (const char* name : {"peak-rule", "confidence", "conformal", "random", "ceiling"}) {
    EXPECT_THAT(refusal([&] { PolicySource::named(name, settings); }),
                HasSubstr("knows no costs, since its margins are not expected costs"));
  }
  settings.scale = MarginScale::kLogit;
  EXPECT_THAT(refusal([&] { PolicySource::named("plug-in", settings); }),
              HasSubstr("margins on the logit scale know no costs"));
}

}  // namespace
}  // namespace ifd
