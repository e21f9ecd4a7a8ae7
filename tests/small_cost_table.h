// Small rosters with costs and one case, for tests that compare with enumeration.
#pragma once

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "ifd/data/predictions.h"
#include "ifd/decision/costs.h"
#include "ifd/policy/roster.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

// A roster, a table of costs and one case, drawn: few values, so that ties are common.
struct SmallTable {
  Roster roster;
  std::vector<double> costs;
  Fees fees;
  std::vector<float> probabilities;

  // Classes with other numbers, costs along with them.
  SmallTable renamed(const Key& key) const;

  std::size_t classes() const { return probabilities.size(); }
  Costs made() const { return {ClassNames::numbered(classes()), costs, fees}; }
  Predictions cases() const {
    return Predictions({ClassNames::numbered(classes()), {}, probabilities, {}, {}, 0});
  }
};

inline SmallTable small_table(const Key& key) {
  std::uint64_t draw = 0;
  const auto below = [&](std::size_t bound) { return key.below(bound, draw++); };
  const std::size_t k = 2 + below(3), experts = 1 + below(3);
  SmallTable table;
  for (std::size_t j = 0; j < experts; ++j) {
    table.roster.names.push_back(std::string(1, static_cast<char>('a' + j)));
    table.roster.profiles.emplace_back(k);
    for (std::size_t y = 0; y < k; ++y) {
      const auto right = below(4), wrong = below(3);
      if (right > 0)
        table.roster.profiles[j].observe(
            {.truth = class_id(y), .answer = class_id(y), .count = right});
      if (wrong > 0)
        table.roster.profiles[j].observe(
            {.truth = class_id(y), .answer = Answer::outside(), .count = wrong});
    }
    if (below(2) == 0) table.fees[table.roster.names[j]] = .25 * static_cast<double>(below(5));
  }
  if (below(4) == 0) table.fees["*"] = .5;
  for (std::size_t y = 0; y < k; ++y) {
    for (std::size_t m = 0; m < k; ++m) {
      table.costs.push_back(y == m ? 0 : static_cast<double>(below(6)) * (below(3) == 0 ? 10 : 1));
    }
  }
  table.costs[1] += 1;  // some mistake costs something
  // Sixteenths, which add up to exactly 1: one class takes what the others leave.
  const std::size_t rest = below(k);
  std::size_t sixteenths = 0;
  for (std::size_t y = 0; y < k; ++y) {
    const std::size_t part = y == rest ? 0 : below(5);
    sixteenths += part;
    table.probabilities.push_back(static_cast<float>(part) / 16);
  }
  table.probabilities[rest] = static_cast<float>(16 - sixteenths) / 16;
  return table;
}

inline SmallTable SmallTable::renamed(const Key& key) const {
  const std::size_t k = classes();
  std::vector<std::size_t> to(k);
  std::iota(to.begin(), to.end(), std::size_t{0});
  for (std::size_t i = k; i > 1; --i) std::swap(to[i - 1], to[key.with("order").below(i, i)]);
  SmallTable made = *this;
  for (auto& profile : made.roster.profiles) profile = ExpertProfile(k);
  for (std::size_t y = 0; y < k; ++y) {
    made.probabilities[to[y]] = probabilities[y];
    for (std::size_t m = 0; m < k; ++m) {
      made.costs[to[y] * k + to[m]] = costs[y * k + m];
    }
    for (std::size_t j = 0; j < roster.size(); ++j) {
      const BetaPosterior& known = roster.profiles[j].at(class_id(y));
      auto& profile = made.roster.profiles[j];
      const auto wrong = known.answers() - known.correct();
      if (known.correct() > 0) {
        profile.observe(
            {.truth = class_id(to[y]), .answer = class_id(to[y]), .count = known.correct()});
      }
      if (wrong > 0)
        profile.observe({.truth = class_id(to[y]), .answer = Answer::outside(), .count = wrong});
    }
  }
  return made;
}

}  // namespace ifd
