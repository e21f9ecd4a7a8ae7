#include "ifd/routing/capacity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>
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

// The plain method, and the rule for ties: Bellman-Ford over all experts for every case, experts in
// the order of their keys, an equal path never replacing the one found first.
class PlainAssignment {
 public:
  explicit PlainAssignment(const Problem& problem)
      : p_(problem), order_(p_.experts), load_(p_.experts, 0), holder_(p_.cases, kNobody) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::size_t a, std::size_t b) { return p_.expert_keys[a] < p_.expert_keys[b]; });
  }

  std::vector<Route> routes() {
    for (std::size_t deferred = 0; deferred < p_.limit.max_cases; ++deferred) {
      if (!defer_one()) break;
    }
    std::vector<Route> routes;
    for (std::size_t row = 0; row < p_.cases; ++row) {
      double margin = kNeverDefer;
      for (std::size_t j = 0; j < p_.experts; ++j) margin = std::max(margin, p_.margin(row, j));
      if (holder_[row] != kNobody) margin = p_.margin(row, index(holder_[row]));
      routes.push_back({holder_[row], margin});
    }
    return routes;
  }

 private:
  struct Step {
    double gain = kNeverDefer;
    ExpertId from = kNobody;
    std::size_t row = 0;
  };

  // The case that comes to `to` from the hands of `from`, or from the waiting ones, for most.
  Step best_step(ExpertId from, std::size_t to) const {
    Step best{kNeverDefer, from};
    for (std::size_t row = 0; p_.capacities[to] > 0 && row < p_.cases; ++row) {
      if (holder_[row] != from || p_.margin(row, to) == kNeverDefer) continue;
      const double gain =
          from == kNobody ? p_.margin(row, to) : p_.margin(row, to) - p_.margin(row, index(from));
      const bool first = gain == best.gain && p_.case_keys[row] < p_.case_keys[best.row];
      if (gain > best.gain || first) best = {gain, from, row};
    }
    return best;
  }

  bool is_on_path(std::size_t j, std::size_t end, const std::vector<Step>& best) const {
    while (end != j && best[end].from != kNobody) end = index(best[end].from);
    return end == j;
  }

  bool defer_one() {
    std::vector<Step> best(p_.experts);
    for (const std::size_t j : order_) best[j] = best_step(kNobody, j);
    for (std::size_t round = 1; round < p_.experts; ++round) {
      for (const std::size_t from : order_) {
        for (const std::size_t to : order_) {
          if (from == to || best[from].gain == kNeverDefer) continue;
          const Step move = best_step(expert_id(from), to);
          if (best[from].gain + move.gain <= best[to].gain) continue;
          if (is_on_path(to, from, best)) continue;
          best[to] = {best[from].gain + move.gain, move.from, move.row};
        }
      }
    }
    ExpertId last = kNobody;
    for (const std::size_t j : order_) {
      if (load_[j] == p_.capacities[j] || best[j].gain == kNeverDefer) continue;
      if (last == kNobody || best[j].gain > best[index(last)].gain) last = expert_id(j);
    }
    if (last == kNobody || best[index(last)].gain < p_.limit.min_margin) return false;
    ++load_[index(last)];
    for (ExpertId j = last; j != kNobody; j = best[index(j)].from) holder_[best[index(j)].row] = j;
    return true;
  }

  const Problem& p_;
  std::vector<std::size_t> order_, load_;
  std::vector<ExpertId> holder_;
};

// Experts of few kinds, as newcomers are, margins that tie, and experts who hold many cases: the
// same routes as the plain method, not only routes as good.
TEST(AssignWithinCapacity, SettlesTiesAsThePlainMethodDoes) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Key key(seed);
    Problem p;
    p.cases = 20 + key.with("cases").below(60);
    p.experts = 1 + key.with("experts").below(12);
    const std::size_t kinds = 1 + key.with("kinds").below(p.experts);
    const std::size_t levels = seed % 3 == 0 ? 6 : 1000;
    const std::size_t most = seed % 4 == 0 ? 60 : 6;
    for (std::size_t i = 0; i < p.cases * p.experts; ++i) {
      const std::size_t row = i / p.experts;
      const std::size_t kind = key.with("kind").below(kinds, i % p.experts);
      const std::size_t level = key.with("margin").with(kind).below(levels, row);
      // Sixteenths of whole numbers: sums are exact.
      p.margins.push_back(level == 0 ? kNeverDefer : (static_cast<double>(level) - 3) / 16);
    }
    for (std::size_t j = 0; j < p.experts; ++j) {
      p.capacities.push_back(key.with("capacity").below(most, j));
      p.expert_keys.push_back(key.with("expert key").bits(j));
    }
    for (std::size_t i = 0; i < p.cases; ++i) p.case_keys.push_back(key.with("case key").bits(i));
    p.limit.max_cases = key.with("max cases").below(p.cases + 1);
    if (key.with("mode").below(2) == 1) p.limit.min_margin = static_cast<double>(levels) / 64;
    EXPECT_EQ(p.assign(), PlainAssignment(p).routes());
  }
}

TEST(AssignWithinCapacity, CanBeFollowedAndCancelled) {
  constexpr std::size_t kCases = 300;
  std::vector<double> margins;
  std::vector<std::uint64_t> case_keys;
  for (std::size_t row = 0; row < kCases; ++row) {
    margins.insert(margins.end(), {Key(1).uniform(row), Key(2).uniform(row)});
    case_keys.push_back(row);
  }
  const std::vector<std::size_t> capacities{kCases, kCases};
  const std::vector<std::uint64_t> expert_keys{1, 2};
  const CancellationToken stop;
  std::vector<std::string> told;
  const LongWork work{&stop, [&](std::string_view step) {
                        told.emplace_back(step);
                        if (told.size() == 2) stop.cancel();
                      }};
  try {
    assign_within_capacity(margins, capacities, {kCases}, case_keys, expert_keys, work);
    FAIL() << "it was not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCancelled);
  }
  EXPECT_EQ(told, (std::vector<std::string>{"assigning within capacities, 100 cases deferred",
                                            "assigning within capacities, 200 cases deferred"}));
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

// Thousands of experts who all differ: a search through all of them for each case would take hours.
TEST(AssignWithinCapacity, TakesThousandsOfExperts) {
  Problem p;
  p.cases = 500;
  p.experts = 5000;
  const Key key = Key(11).with("many");
  for (std::size_t i = 0; i < p.cases * p.experts; ++i) p.margins.push_back(key.uniform(i) - .2);
  p.capacities.assign(p.experts, 1);
  for (std::size_t j = 0; j < p.experts; ++j) p.expert_keys.push_back(key.with("e").bits(j));
  for (std::size_t i = 0; i < p.cases; ++i) p.case_keys.push_back(key.with("c").bits(i));
  p.limit.max_cases = p.cases;
  const auto routes = p.assign();
  std::set<ExpertId> asked;
  for (const Route& route : routes) {
    ASSERT_EQ(route.decision(), Decision::kExpert);
    EXPECT_TRUE(asked.insert(route.expert).second) << "asked twice";
  }
}

}  // namespace
}  // namespace ifd
