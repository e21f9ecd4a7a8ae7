#include "ifd/routing/capacity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

struct Problem {
  std::size_t cases;
  std::size_t experts;
  std::vector<double> margins;
  std::vector<std::size_t> capacities;
  std::vector<std::uint64_t> case_keys;
  std::vector<std::uint64_t> expert_keys;
  DeferralLimit limit;

  double margin(std::size_t row, std::size_t expert) const {
    return margins[row * experts + expert];
  }
  std::vector<Route> assign() const {
    return assign_within_capacity(margins, capacities, limit, case_keys, expert_keys);
  }
};

// Margins are multiples of 1/8 from a small set: sums are exact, ties and closed pairs common.
Problem small_problem(std::uint64_t seed) {
  const Key key(seed);
  Problem p;
  p.cases = key.with("cases").below(7);
  p.experts = 1 + key.with("experts").below(3);
  for (std::size_t i = 0; i < p.cases * p.experts; ++i) {
    const std::size_t value = key.with("margin").below(8, i);
    p.margins.push_back(value == 0 ? kNeverDefer : (static_cast<double>(value) - 4) / 8);
  }
  for (std::size_t j = 0; j < p.experts; ++j) {
    p.capacities.push_back(key.with("capacity").below(4, j));
    p.expert_keys.push_back(key.with("expert key").bits(j));
  }
  for (std::size_t i = 0; i < p.cases; ++i) p.case_keys.push_back(key.with("case key").bits(i));
  p.limit.max_cases = key.with("max cases").below(8);
  if (key.with("mode").below(2) == 1) {
    p.limit.min_margin = (static_cast<double>(key.with("threshold").below(7)) - 3) / 8;
  }
  return p;
}

struct Value {
  std::size_t deferred = 0;
  double margin = 0;
};

bool better(const Value& a, const Value& b, const DeferralLimit& limit) {
  if (limit.min_margin == kNeverDefer) {
    return std::pair(static_cast<double>(a.deferred), a.margin) >
           std::pair(static_cast<double>(b.deferred), b.margin);
  }
  const auto objective = [&](const Value& v) {
    return std::pair(v.margin - static_cast<double>(v.deferred) * limit.min_margin, v.deferred);
  };
  return objective(a) > objective(b);
}

// Oracle: all (J+1)^N ways to give each case to the model or an expert.
void search(const Problem& p, std::size_t row, std::vector<std::size_t>& left, Value value,
            Value& best) {
  if (value.deferred > p.limit.max_cases) return;
  if (row == p.cases) {
    if (better(value, best, p.limit)) best = value;
    return;
  }
  search(p, row + 1, left, value, best);
  for (std::size_t j = 0; j < p.experts; ++j) {
    if (left[j] == 0 || p.margin(row, j) == kNeverDefer) continue;
    --left[j];
    search(p, row + 1, left, {value.deferred + 1, value.margin + p.margin(row, j)}, best);
    ++left[j];
  }
}

TEST(AssignWithinCapacity, IsAsGoodAsTheBestOfAllAssignments) {
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Problem p = small_problem(seed);
    const auto routes = p.assign();
    ASSERT_EQ(routes.size(), p.cases);
    Value value;
    std::vector<std::size_t> load(p.experts, 0);
    for (std::size_t row = 0; row < p.cases; ++row) {
      if (routes[row].decision() == Decision::kModel) continue;
      const std::size_t j = index(routes[row].expert);
      ASSERT_LT(j, p.experts);
      EXPECT_EQ(routes[row].margin, p.margin(row, j));
      EXPECT_GE(routes[row].margin, p.limit.min_margin);
      EXPECT_NE(routes[row].margin, kNeverDefer);
      ++load[j];
      ++value.deferred;
      value.margin += routes[row].margin;
    }
    for (std::size_t j = 0; j < p.experts; ++j) EXPECT_LE(load[j], p.capacities[j]);

    Value best;
    auto left = p.capacities;
    search(p, 0, left, {}, best);
    EXPECT_EQ(value.deferred, best.deferred);
    EXPECT_EQ(value.margin, best.margin);
  }
}

TEST(AssignWithinCapacity, OrderOfRowsAndColumnsChangesNoRoute) {
  for (std::uint64_t seed = 0; seed < 5000; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Problem p = small_problem(seed);
    const auto routes = p.assign();

    const auto shuffled = [&](std::size_t count, const char* purpose) {
      std::vector<std::size_t> order(count);
      std::iota(order.begin(), order.end(), std::size_t{0});
      for (std::size_t i = count; i > 1; --i) {
        std::swap(order[i - 1], order[Key(seed).with(purpose).below(i, i)]);
      }
      return order;
    };
    const auto row_order = shuffled(p.cases, "rows");
    const auto column_order = shuffled(p.experts, "columns");
    Problem q = p;
    for (std::size_t row = 0; row < p.cases; ++row) {
      q.case_keys[row] = p.case_keys[row_order[row]];
      for (std::size_t j = 0; j < p.experts; ++j) {
        q.margins[row * p.experts + j] = p.margin(row_order[row], column_order[j]);
      }
    }
    for (std::size_t j = 0; j < p.experts; ++j) {
      q.capacities[j] = p.capacities[column_order[j]];
      q.expert_keys[j] = p.expert_keys[column_order[j]];
    }
    const auto shuffled_routes = q.assign();
    for (std::size_t row = 0; row < p.cases; ++row) {
      const Route& route = shuffled_routes[row];
      const ExpertId expert =
          route.expert == kNobody ? kNobody : expert_id(column_order[index(route.expert)]);
      EXPECT_EQ((Route{expert, route.margin}), routes[row_order[row]]);
    }
  }
}

// Without binding capacities every case goes to its largest margin, as in the multi-expert remark.
TEST(AssignWithinCapacity, AmpleCapacityIsTheThresholdRule) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    Problem p{40, 4, {}, {40, 40, 40, 40}, {}, {1, 2, 3, 4}, {40, 0.0}};
    MarginTable table;
    for (std::size_t row = 0; row < p.cases; ++row) {
      for (std::size_t j = 0; j < p.experts; ++j) {
        p.margins.push_back(key.uniform(row * p.experts + j) - 0.8);
      }
      const auto first = p.margins.end() - static_cast<std::ptrdiff_t>(p.experts);
      const auto largest = std::max_element(first, p.margins.end());
      table.margin.push_back(*largest);
      table.expert.push_back(expert_id(static_cast<std::size_t>(largest - first)));
      p.case_keys.push_back(key.with("key").bits(row));
    }
    EXPECT_EQ(p.assign(), route_by_threshold(table, 0.0));
  }
}

// The greedy order would give case 0 to expert 0 and leave case 1 alone. Making room is better:
// 0.5 + 0.75 against 1.0.
TEST(AssignWithinCapacity, MakesRoomForACaseWithOneTaker) {
  const std::vector<double> margins{1.0, 0.5, 0.75, kNeverDefer};
  const std::vector<std::size_t> capacities{1, 1};
  const std::vector<std::uint64_t> keys{1, 2};
  EXPECT_EQ(assign_within_capacity(margins, capacities, {2}, keys, keys),
            (std::vector<Route>{{ExpertId{1}, 0.5}, {ExpertId{0}, 0.75}}));
  // The second case gains 0.25 in all, so a threshold above that keeps it with the model.
  EXPECT_EQ(assign_within_capacity(margins, capacities, {2, 0.375}, keys, keys),
            (std::vector<Route>{{ExpertId{0}, 1.0}, {kNobody, 0.75}}));
}

TEST(AssignWithinCapacity, RefusesWhatItCannotOrder) {
  const std::vector<double> margins{1.0, 0.5};
  const std::vector<std::size_t> capacities{1};
  const std::vector<std::uint64_t> one{1};
  const std::vector<std::uint64_t> same{7, 7};
  const std::vector<std::uint64_t> distinct{7, 8};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(assign_within_capacity(margins, capacities, {2}, same, one), Error);
  EXPECT_THROW(assign_within_capacity(margins, capacities, {2, nan}, distinct, one), Error);
  EXPECT_THROW(
      assign_within_capacity(std::vector<double>{1.0, nan}, capacities, {2}, distinct, one), Error);
}

}  // namespace
}  // namespace ifd
