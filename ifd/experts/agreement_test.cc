#include "ifd/experts/agreement.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// Two raters whose answers, counted, give the table: rows are answers of the first.
std::vector<ExpertContext> raters_of(const std::vector<std::vector<std::size_t>>& table) {
  std::vector<ExpertContext> raters = {{"first", {}}, {"second", {}}};
  std::size_t number = 0;
  for (std::size_t a = 0; a < table.size(); ++a) {
    for (std::size_t b = 0; b < table.size(); ++b) {
      for (std::size_t i = 0; i < table[a][b]; ++i) {
        const std::string name = fmt::format("case {}", number++);
        raters[0].rows.push_back({name, class_id(0), class_id(a)});
        raters[1].rows.push_back({name, class_id(0), class_id(b)});
      }
    }
  }
  return raters;
}

PairAgreement only_pair(const std::vector<ExpertContext>& raters, std::size_t classes) {
  const Agreement found = agreement(raters, classes, {.least_shared = 1});
  EXPECT_EQ(found.pairs.size(), 1U);
  return found.pairs.at(0);
}

// Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, Table 18.1: 100 patients,
// p_o = .89, p_e = .66, kappa = .68.
TEST(Agreement, TextbookOfFleiss) {
  const auto pair = only_pair(raters_of({{75, 1, 4}, {5, 4, 1}, {0, 0, 10}}), 3);
  EXPECT_EQ(pair.counts.shared, 100U);
  EXPECT_EQ(pair.counts.agreed, 89U);
  EXPECT_NEAR(pair.counts.kappa.value(), .23 / .34, 1e-12);
}

// By hand: 50 proposals, p_o = 35/50, p_e = .5 x .6 + .5 x .4 = .5, kappa = .4. And the two tables
// with the same p_o = .6 and kappas of .1304 and .2593 that show what chance takes off.
TEST(Agreement, ByHand) {
  EXPECT_NEAR(only_pair(raters_of({{20, 5}, {10, 15}}), 2).counts.kappa.value(), .4, 1e-12);
  EXPECT_NEAR(only_pair(raters_of({{45, 15}, {25, 15}}), 2).counts.kappa.value(), .1304, 5e-5);
  EXPECT_NEAR(only_pair(raters_of({{25, 35}, {5, 35}}), 2).counts.kappa.value(), .2593, 5e-5);
}

TEST(Agreement, IsOneForTwinsAndBelowZeroForOpposites) {
  EXPECT_EQ(only_pair(raters_of({{6, 0}, {0, 3}}), 2).counts.kappa, 1.0);
  EXPECT_EQ(only_pair(raters_of({{0, 5}, {5, 0}}), 2).counts.kappa, -1.0);
}

// 0/0: both only ever said the one thing.
TEST(Agreement, HasNoKappaWhereChanceExplainsEverything) {
  const auto pair = only_pair(raters_of({{7, 0}, {0, 0}}), 2);
  EXPECT_EQ(pair.counts.agreed, 7U);
  EXPECT_EQ(pair.counts.kappa, std::nullopt);
}

TEST(Agreement, ComparesOnlyClassesOnSharedCases) {
  std::vector<ExpertContext> raters = {{"ann",
                                        {{"a", class_id(0), class_id(0)},
                                         {"b", class_id(0), Answer::outside()},
                                         {"c", class_id(0), class_id(1)}}},
                                       {"bob",
                                        {{"c", class_id(0), class_id(1)},
                                         {"b", class_id(0), Answer::outside()},
                                         {"d", class_id(0), class_id(0)}}}};
  EXPECT_EQ(only_pair(raters, 2).counts.shared, 1U);
}

std::vector<ExpertContext> random_raters(std::uint64_t seed, std::size_t experts,
                                         std::size_t classes) {
  std::vector<ExpertContext> raters;
  for (std::size_t j = 0; j < experts; ++j) {
    raters.push_back({fmt::format("e{}", j), {}});
    for (std::size_t c = 0; c < 25; ++c) {
      const Key key = Key(seed).with(j).with(c);
      if (key.uniform(0) < .3) continue;
      raters.back().rows.push_back({fmt::format("c{}", c), class_id(0),
                                    class_id(key.uniform(1) < .5 ? 0 : key.below(classes, 2))});
    }
    // The order of answers is the order of nothing.
    std::reverse(raters.back().rows.begin() + 3, raters.back().rows.end());
  }
  return raters;
}

std::optional<Answer> answer_on(const ExpertContext& expert, const std::string& name) {
  for (const ContextRow& row : expert.rows) {
    if (row.case_name == name) return row.answer;
  }
  return {};
}

// p_o and p_e by their definitions.
std::optional<double> kappa_by_definition(const std::vector<std::pair<Answer, Answer>>& answers,
                                          std::size_t classes) {
  const auto n = static_cast<double>(answers.size());
  double observed = 0;
  double expected = 0;
  for (const auto& [a, b] : answers) observed += a == b ? 1 / n : 0;
  for (std::size_t k = 0; k < classes; ++k) {
    double first = 0;
    double second = 0;
    for (const auto& [a, b] : answers) {
      first += a.is(class_id(k)) ? 1 / n : 0;
      second += b.is(class_id(k)) ? 1 / n : 0;
    }
    expected += first * second;
  }
  if (answers.empty() || expected > 1 - 1e-9) return {};
  return (observed - expected) / (1 - expected);
}

void expect_same_kappa(const std::optional<double>& found, const std::optional<double>& expected) {
  ASSERT_EQ(found.has_value(), expected.has_value());
  if (found) {
    EXPECT_NEAR(*found, *expected, 1e-9);
  }
}

TEST(Agreement, OfPairsIsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto raters = random_raters(seed, 5, 3);
    const Agreement found = agreement(raters, 3, {.least_shared = 1});
    EXPECT_EQ(found.pairs.size() + found.too_few, 10U);
    double before = -2;
    for (const PairAgreement& pair : found.pairs) {
      std::vector<std::pair<Answer, Answer>> both;
      for (const ContextRow& row : raters[pair.first].rows) {
        const auto other = answer_on(raters[pair.second], row.case_name);
        if (other) both.emplace_back(row.answer, *other);
      }
      EXPECT_EQ(pair.counts.shared, both.size());
      expect_same_kappa(pair.counts.kappa, kappa_by_definition(both, 3));
      EXPECT_LE(before, pair.counts.kappa.value_or(2)) << "weakest first, without a kappa last";
      before = pair.counts.kappa.value_or(2);
    }
  }
}

// The class most of the others gave, counted anew for every expert and case.
TEST(Agreement, WithTheMajorityOfTheOthersIsTheDefinition) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const auto raters = random_raters(seed, 2 + seed % 6, 4);
    const Agreement found = agreement(raters, 4, {.least_shared = 1, .most_experts = 1});
    ASSERT_FALSE(found.compares_pairs);
    EXPECT_EQ(found.with_others.size() + found.too_few, raters.size());
    for (const AgreementWithOthers& one : found.with_others) {
      std::vector<std::pair<Answer, Answer>> both;
      for (const ContextRow& row : raters[one.expert].rows) {
        std::vector<std::pair<std::size_t, std::size_t>> votes;  // how many, for which class
        for (std::size_t k = 0; k < 4; ++k) {
          std::size_t count = 0;
          for (std::size_t j = 0; j < raters.size(); ++j) {
            if (j != one.expert && answer_on(raters[j], row.case_name) == Answer(class_id(k))) {
              ++count;
            }
          }
          votes.emplace_back(count, k);
        }
        std::sort(votes.rbegin(), votes.rend());
        if (votes[0].first == votes[1].first) continue;
        both.emplace_back(row.answer, class_id(votes[0].second));
      }
      EXPECT_EQ(one.counts.shared, both.size());
      expect_same_kappa(one.counts.kappa, kappa_by_definition(both, 4));
    }
  }
}

TEST(Agreement, TellsOfPairsThatShareTooLittle) {
  auto raters = raters_of({{6, 0}, {0, 3}});
  raters.push_back({"third", {{"case 1", class_id(0), class_id(0)}}});
  const Agreement found = agreement(raters, 2, {.least_shared = 9});
  EXPECT_EQ(found.pairs.size(), 1U);
  EXPECT_EQ(found.too_few, 2U);
  EXPECT_EQ(found.most_shared, 9U);
  EXPECT_EQ(found.mean_kappa, 1.0);
  EXPECT_TRUE(agreement(raters, 2).pairs.empty());
}

// 8,000 experts are 32 million pairs.
TEST(Agreement, OfThousandsComparesNoPairs) {
  std::vector<ExpertContext> raters(8000);
  for (std::size_t j = 0; j < raters.size(); ++j) {
    raters[j].expert = fmt::format("e{}", j);
    for (std::size_t c = 0; c < 12; ++c) {
      raters[j].rows.push_back({fmt::format("c{}", c), class_id(0), class_id(c % 3)});
    }
  }
  const Agreement found = agreement(raters, 3);
  EXPECT_FALSE(found.compares_pairs);
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_EQ(found.with_others.size(), 8000U);
  EXPECT_EQ(found.mean_kappa, 1.0);
}

TEST(Agreement, OfNobodyIsNothing) {
  const Agreement found = agreement({}, 2);
  EXPECT_TRUE(found.pairs.empty());
  EXPECT_EQ(found.mean_kappa, std::nullopt);
}

}  // namespace
}  // namespace ifd
