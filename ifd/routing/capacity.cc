#include "ifd/routing/capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <queue>
#include <string_view>

#include "ifd/error.h"

namespace ifd {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

void check_keys(std::span<const std::uint64_t> keys, std::string_view whose) {
  std::vector<std::uint64_t> sorted(keys.begin(), keys.end());
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) {
    throw bad_input(
        fmt::format("tie keys of {}: {} is there twice; expected distinct keys", whose, *twice));
  }
}

// A case that could be taken for `gain`.
struct Candidate {
  double gain;
  std::size_t row;
};

// Among equal gains the lower key goes first.
struct GoesLater {
  std::span<const std::uint64_t> case_keys;
  bool operator()(const Candidate& a, const Candidate& b) const {
    return a.gain != b.gain ? a.gain < b.gain : case_keys[a.row] > case_keys[b.row];
  }
};

using CandidateHeap = std::priority_queue<Candidate, std::vector<Candidate>, GoesLater>;

// Experts are numbered by the order of their keys in here, so that loops over experts settle ties
// without looking at columns.
class Assignment {
 public:
  Assignment(std::span<const double> margins, std::span<const std::size_t> capacities,
             std::span<const std::uint64_t> case_keys, std::span<const std::uint64_t> expert_keys)
      : margins_(margins),
        experts_(capacities.size()),
        column_(experts_),
        load_(experts_, 0),
        holder_(case_keys.size(), kNone),
        moves_(experts_ * experts_, CandidateHeap(GoesLater{case_keys})) {
    std::iota(column_.begin(), column_.end(), std::size_t{0});
    std::sort(column_.begin(), column_.end(),
              [&](std::size_t a, std::size_t b) { return expert_keys[a] < expert_keys[b]; });
    for (std::size_t j = 0; j < experts_; ++j) {
      capacity_.push_back(capacities[column_[j]]);
      std::vector<Candidate> candidates;
      for (std::size_t row = 0; row < holder_.size(); ++row) {
        if (may_take(j, row)) candidates.push_back({margin(row, j), row});
      }
      waiting_.emplace_back(GoesLater{case_keys}, std::move(candidates));
    }
  }

  // Defers one more case in the best way if that gains at least `min_gain`.
  bool defer_one(double min_gain) {
    const std::vector<Step> best = best_paths();
    std::size_t last = kNone;
    for (std::size_t j = 0; j < experts_; ++j) {
      if (load_[j] == capacity_[j] || best[j].gain == kNeverDefer) continue;
      if (last == kNone || best[j].gain > best[last].gain) last = j;
    }
    if (last == kNone || best[last].gain < min_gain) return false;

    ++load_[last];
    for (std::size_t j = last; j != kNone; j = best[j].from) {
      hand_over(best[j].row, j);
    }
    return true;
  }

  std::vector<Route> routes() const {
    std::vector<Route> routes;
    routes.reserve(holder_.size());
    for (std::size_t row = 0; row < holder_.size(); ++row) {
      if (holder_[row] != kNone) {
        routes.push_back({expert_id(column_[holder_[row]]), margin(row, holder_[row])});
        continue;
      }
      double largest = kNeverDefer;
      for (std::size_t j = 0; j < experts_; ++j) largest = std::max(largest, margin(row, j));
      routes.push_back({kNobody, largest});
    }
    return routes;
  }

 private:
  // How the best path reaches an expert: `row` comes to the expert, from the hands of `from` or,
  // at the start of a path, from the waiting cases (kNone).
  struct Step {
    double gain = kNeverDefer;
    std::size_t from = kNone;
    std::size_t row = kNone;
  };

  double margin(std::size_t row, std::size_t j) const {
    return margins_[row * experts_ + column_[j]];
  }
  bool may_take(std::size_t j, std::size_t row) const {
    return capacity_[j] > 0 && margin(row, j) != kNeverDefer;
  }

  // The best candidate whose case `owner` still holds; drops the others on the way.
  const Candidate* top(CandidateHeap& heap, std::size_t owner) {
    while (!heap.empty() && holder_[heap.top().row] != owner) heap.pop();
    return heap.empty() ? nullptr : &heap.top();
  }

  // Bellman-Ford for the path of largest gain to every expert. An optimal assignment has no cycle
  // of positive gain; rounding may feign one, so a step may not lead back to its own path.
  std::vector<Step> best_paths() {
    std::vector<Step> best(experts_);
    for (std::size_t j = 0; j < experts_; ++j) {
      if (const Candidate* candidate = top(waiting_[j], kNone)) {
        best[j] = {candidate->gain, kNone, candidate->row};
      }
    }
    const auto on_path_to = [&](std::size_t j, std::size_t end) {
      while (end != kNone && end != j) end = best[end].from;
      return end == j;
    };
    bool changed = true;
    for (std::size_t round = 1; changed && round < experts_; ++round) {
      changed = false;
      for (std::size_t from = 0; from < experts_; ++from) {
        if (best[from].gain == kNeverDefer) continue;
        for (std::size_t to = 0; to < experts_; ++to) {
          const Candidate* move = top(moves_[from * experts_ + to], from);
          if (move == nullptr || best[from].gain + move->gain <= best[to].gain) continue;
          if (on_path_to(to, from)) continue;
          best[to] = {best[from].gain + move->gain, from, move->row};
          changed = true;
        }
      }
    }
    return best;
  }

  void hand_over(std::size_t row, std::size_t j) {
    holder_[row] = j;
    for (std::size_t to = 0; to < experts_; ++to) {
      if (to != j && may_take(to, row)) {
        moves_[j * experts_ + to].push({margin(row, to) - margin(row, j), row});
      }
    }
  }

  std::span<const double> margins_;
  std::size_t experts_;
  std::vector<std::size_t> column_;  // of the expert in `margins`
  std::vector<std::size_t> capacity_;
  std::vector<std::size_t> load_;
  std::vector<std::size_t> holder_;     // of each case; kNone: it waits
  std::vector<CandidateHeap> waiting_;  // per expert, by margin
  std::vector<CandidateHeap> moves_;    // per pair of experts, by the change of margin
};

}  // namespace

std::vector<Route> assign_within_capacity(std::span<const double> margins,
                                          std::span<const std::size_t> capacities,
                                          DeferralLimit limit,
                                          std::span<const std::uint64_t> case_keys,
                                          std::span<const std::uint64_t> expert_keys) {
  assert(margins.size() == case_keys.size() * capacities.size());
  assert(expert_keys.size() == capacities.size());
  check_margins(margins);
  check_keys(case_keys, "cases");
  check_keys(expert_keys, "experts");
  if (std::isnan(limit.min_margin)) {
    throw bad_input("minimal margin: nan is not a threshold; expected a number");
  }
  Assignment assignment(margins, capacities, case_keys, expert_keys);
  std::size_t deferred = 0;
  while (deferred < limit.max_cases && assignment.defer_one(limit.min_margin)) ++deferred;
  return assignment.routes();
}

}  // namespace ifd
