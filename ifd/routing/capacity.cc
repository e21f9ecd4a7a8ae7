#include "ifd/routing/capacity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <string_view>
#include <utility>

#include "ifd/error.h"

namespace ifd {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kCasesBetweenReports = 100;

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

// The experts whose margins are the same on every case: to a path they are one node, with the room
// of all of them.
struct Kind {
  std::vector<std::size_t> experts;  // in the order of their keys
  std::size_t first_with_room = 0;   // in `experts`; those before it are full and stay so
  std::vector<std::uint32_t> rows;   // of the cases they may take, the best first
  std::size_t first_waiting = 0;     // in `rows`; those before it are held and stay so
  std::vector<double> held;          // the margin of each case in Assignment::held_
};

// What every search reads of every kind, kept together.
struct Outlook {
  std::size_t column;             // of an expert of the kind in the margins
  std::size_t room = kNone;       // the first expert of the kind with room, or kNone
  std::size_t row = kNone;        // the best waiting case, or kNone
  double entering = kNeverDefer;  // its margin
  // No path to the kind gains more than its bound, and no move from kind to kind more than the
  // bounds' difference: the prices of the dual problem.
  double bound = kNeverDefer;
  double most_by_move = kNeverDefer;  // no path that ends with a move to the kind gains more
};

// Experts are numbered by the order of their keys in here, so that loops over experts settle ties
// without looking at columns.
class Assignment {
 public:
  Assignment(std::span<const double> margins, std::span<const std::size_t> capacities,
             std::size_t max_cases, std::span<const std::uint64_t> case_keys,
             std::span<const std::uint64_t> expert_keys, const LongWork& work)
      : margins_(margins),
        case_keys_(case_keys),
        column_(capacities.size()),
        experts_(capacities.size()),
        holder_(case_keys.size(), kNone),
        place_(case_keys.size(), kNone) {
    std::iota(column_.begin(), column_.end(), std::size_t{0});
    std::sort(column_.begin(), column_.end(),
              [&](std::size_t a, std::size_t b) { return expert_keys[a] < expert_keys[b]; });
    std::map<std::vector<double>, std::size_t> kind_of;  // by the margins on all cases
    for (std::size_t j = 0; j < experts_.size(); ++j) {
      work.check();
      Expert& expert = experts_[j];
      expert.capacity = capacities[column_[j]];
      if (expert.capacity == 0) continue;
      const auto [found, is_new] = kind_of.try_emplace(margins_of(j), kinds_.size());
      if (is_new) add_kind(j, found->first, max_cases);
      expert.kind = found->second;
      kinds_[expert.kind].experts.push_back(j);
    }
  }

  // Defers one more case in the best way if that gains at least `min_gain`.
  bool defer_one(double min_gain) {
    find_losses();
    if (least_loss_ == kInfinity) return false;
    const std::vector<Step> best = best_paths();
    std::size_t last = kNone;
    for (const std::size_t kind : reached_) {
      const std::size_t j = outlook_[kind].room;
      if (j == kNone || best[kind].gain == kNeverDefer) continue;
      const double gain = best[kind].gain;
      const double most = last == kNone ? kNeverDefer : best[experts_[last].kind].gain;
      if (last == kNone || gain > most || (gain == most && j < last)) last = j;
    }
    if (last == kNone || best[experts_[last].kind].gain < min_gain) return false;

    lower_bounds();
    ++experts_[last].load;
    for (std::size_t j = last; j != kNone; j = best[experts_[j].kind].from) {
      hand_over(best[experts_[j].kind].row, j);
    }
    update(experts_[last].kind);
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      const std::size_t row = outlook_[kind].row;
      if (row != kNone && holder_[row] != kNone) update(kind);
    }
    return true;
  }

  std::vector<Route> routes() const {
    std::vector<Route> routes;
    routes.reserve(holder_.size());
    for (std::size_t row = 0; row < holder_.size(); ++row) {
      const auto all = margins_.subspan(row * experts_.size(), experts_.size());
      if (holder_[row] != kNone) {
        const std::size_t column = column_[holder_[row]];
        routes.push_back({expert_id(column), all[column]});
      } else {
        routes.push_back(
            {kNobody, all.empty() ? kNeverDefer : *std::max_element(all.begin(), all.end())});
      }
    }
    return routes;
  }

 private:
  struct Expert {
    std::size_t capacity = 0;
    std::size_t load = 0;
    std::size_t kind = kNone;
    std::vector<CandidateHeap> moves = {};  // per kind, by the change of margin; see kFewCases
  };

  // A case in the hands of an expert who holds few.
  struct Held {
    std::size_t row, expert, kind;
  };

  // `row` could go from the hands of `from` to an expert of kind `to`; the loss is that of the best
  // path from there on.
  struct Move {
    std::size_t from, to;
    Candidate candidate;
    double loss;
  };

  // How the best path reaches a kind: `row` comes from the hands of `from` or, at the start of a
  // path, from the waiting cases (kNone).
  struct Step {
    double gain = kNeverDefer;
    std::size_t from = kNone;
    std::size_t row = kNone;
  };

  // Kinds to be looked at, by their loss.
  using Queue = std::priority_queue<std::pair<double, std::size_t>,
                                    std::vector<std::pair<double, std::size_t>>, std::greater<>>;

  // An expert with more cases than this keeps them in heaps, one per kind to go to; the cases of
  // others are looked at one by one, which takes less room and, for few, less time.
  static constexpr std::size_t kFewCases = 16;

  std::vector<double> margins_of(std::size_t j) const {
    std::vector<double> margins(holder_.size());
    for (std::size_t row = 0; row < margins.size(); ++row) {
      margins[row] = margins_[row * experts_.size() + column_[j]];
    }
    return margins;
  }

  void add_kind(std::size_t j, const std::vector<double>& margins, std::size_t max_cases) {
    std::vector<Candidate> candidates;
    double bound = kNeverDefer;
    for (std::size_t row = 0; row < margins.size(); ++row) {
      if (margins[row] == kNeverDefer) continue;
      candidates.push_back({margins[row], row});
      bound = std::max(bound, margins[row]);
      tolerance_ = std::max(tolerance_, kRounding * std::abs(margins[row]));
    }
    // Before the last case is deferred, one of so many still waits.
    const std::size_t needed = std::min(candidates.size(), std::max(max_cases, std::size_t{1}));
    const auto middle = candidates.begin() + static_cast<std::ptrdiff_t>(needed);
    const GoesLater later{case_keys_};
    std::partial_sort(candidates.begin(), middle, candidates.end(),
                      [&](const Candidate& a, const Candidate& b) { return later(b, a); });
    Kind kind;
    for (auto c = candidates.begin(); c != middle; ++c) {
      kind.rows.push_back(static_cast<std::uint32_t>(c->row));
    }
    outlook_.push_back(
        {column_[j], j, kind.rows.empty() ? kNone : kind.rows.front(), bound, bound});
    kinds_.push_back(std::move(kind));
  }

  double margin(std::size_t row, std::size_t kind) const {
    return margins_[row * experts_.size() + outlook_[kind].column];
  }

  // Looks again for who has room and who waits.
  void update(std::size_t k) {
    Kind& kind = kinds_[k];
    Outlook& outlook = outlook_[k];
    const auto is_full = [&](std::size_t j) { return experts_[j].load == experts_[j].capacity; };
    std::size_t& room = kind.first_with_room;
    while (room < kind.experts.size() && is_full(kind.experts[room])) ++room;
    outlook.room = room < kind.experts.size() ? kind.experts[room] : kNone;
    std::size_t& first = kind.first_waiting;
    while (first < kind.rows.size() && holder_[kind.rows[first]] != kNone) ++first;
    outlook.row = first < kind.rows.size() ? kind.rows[first] : kNone;
    outlook.entering = outlook.row == kNone ? kNeverDefer : margin(outlook.row, k);
  }

  // Dijkstra from the experts with room backwards, over what a path loses against the bounds.
  void find_losses() {
    tighten_bounds();
    reached_.clear();
    moves_.clear();
    loss_.assign(kinds_.size(), kInfinity);
    least_loss_ = kInfinity;
    Queue open = ends();
    while (!open.empty() && open.top().first <= least_loss_ + tolerance_) {
      const auto [loss, kind] = open.top();
      open.pop();
      if (loss > loss_[kind]) continue;
      reached_.push_back(kind);
      const double slack = outlook_[kind].bound - outlook_[kind].entering;
      least_loss_ = std::min(least_loss_, loss + std::max(0.0, slack));
      find_moves(kind, open);
    }
  }

  // The kinds with room. What a path gains less than the largest of their bounds, it loses.
  Queue ends() {
    double most = kNeverDefer;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (outlook_[kind].room != kNone) most = std::max(most, outlook_[kind].bound);
    }
    std::vector<Queue::value_type> found;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (outlook_[kind].room == kNone || outlook_[kind].bound == kNeverDefer) continue;
      loss_[kind] = most - outlook_[kind].bound;
      found.emplace_back(loss_[kind], kind);
    }
    return Queue({}, std::move(found));
  }

  // The moves to a kind that lose little enough to be on the best path.
  void find_moves(std::size_t kind, Queue& open) {
    const double loss = loss_[kind];
    const double least_gain = outlook_[kind].bound + loss - (least_loss_ + tolerance_);
    if (outlook_[kind].most_by_move < least_gain) return;
    outlook_[kind].most_by_move = kNeverDefer;
    const auto look = [&](std::size_t from, std::size_t from_kind, std::size_t row, double gain) {
      if (from_kind == kind) return;
      outlook_[kind].most_by_move = std::max(outlook_[kind].most_by_move, gain);
      const double longer = loss + std::max(0.0, outlook_[kind].bound - gain);
      if (longer > least_loss_ + tolerance_) return;
      moves_.push_back({from, kind, {margin(row, kind) - margin(row, from_kind), row}, longer});
      if (longer >= loss_[from_kind]) return;
      loss_[from_kind] = longer;
      open.emplace(longer, from_kind);
    };
    const std::vector<double>& margins = kinds_[kind].held;
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const double gain = margins[i] - price_[i];
      if (gain > outlook_[kind].most_by_move || gain >= least_gain) {
        look(held_[i].expert, held_[i].kind, held_[i].row, gain);
      }
    }
    for (const std::size_t from : laden_) {
      CandidateHeap& heap = experts_[from].moves[kind];
      while (!heap.empty() && holder_[heap.top().row] != from) heap.pop();
      if (heap.empty()) continue;
      const std::size_t from_kind = experts_[from].kind;
      look(from, from_kind, heap.top().row, heap.top().gain + outlook_[from_kind].bound);
    }
  }

  // Nothing comes to a kind but from the waiting cases or by a move.
  void tighten_bounds() {
    for (Outlook& kind : outlook_) {
      kind.bound = std::min(kind.bound, std::max(kind.entering, kind.most_by_move));
    }
    for (std::size_t i = 0; i < held_.size(); ++i) {
      price_[i] = kinds_[held_[i].kind].held[i] - outlook_[held_[i].kind].bound;
    }
  }

  // Bellman-Ford for the path of largest gain to every kind that the best path may pass. An optimal
  // assignment has no cycle of positive gain; rounding may feign one, so a step may not lead back
  // to its own path.
  std::vector<Step> best_paths() {
    std::vector<Step> best(kinds_.size());
    for (const std::size_t kind : reached_) {
      if (loss_[kind] > least_loss_ + tolerance_) continue;
      best[kind] = {outlook_[kind].entering, kNone, outlook_[kind].row};
    }
    std::erase_if(moves_, [&](const Move& move) {
      const double loss = loss_[experts_[move.from].kind];
      return move.loss > loss + tolerance_ || loss > least_loss_ + tolerance_;
    });
    std::sort(moves_.begin(), moves_.end(), [&](const Move& a, const Move& b) {
      if (a.from != b.from) return a.from < b.from;
      return GoesLater{case_keys_}(b.candidate, a.candidate);
    });
    const auto on_path_to = [&](std::size_t kind, std::size_t end) {
      while (end != kind && best[end].from != kNone) end = experts_[best[end].from].kind;
      return end == kind;
    };
    bool changed = true;
    for (std::size_t round = 1; changed && round < experts_.size(); ++round) {
      changed = false;
      for (const Move& move : moves_) {
        const std::size_t from_kind = experts_[move.from].kind;
        const double gain = best[from_kind].gain + move.candidate.gain;
        if (best[from_kind].gain == kNeverDefer || gain <= best[move.to].gain) continue;
        if (on_path_to(move.to, from_kind)) continue;
        best[move.to] = {gain, move.from, move.candidate.row};
        changed = true;
      }
    }
    return best;
  }

  // The bounds that the best path has shown: what it passed, it passed without a loss.
  void lower_bounds() {
    for (const std::size_t kind : reached_) {
      if (loss_[kind] < least_loss_) outlook_[kind].bound -= least_loss_ - loss_[kind];
      loss_[kind] = kInfinity;  // lowered; it may stand in `reached_` twice
    }
  }

  void hand_over(std::size_t row, std::size_t j) {
    holder_[row] = j;
    Expert& expert = experts_[j];
    const double price = margin(row, expert.kind) - outlook_[expert.kind].bound;
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      if (kind == expert.kind) continue;
      outlook_[kind].most_by_move =
          std::max(outlook_[kind].most_by_move, margin(row, kind) - price);
    }
    if (!expert.moves.empty()) {
      leave_list(row);
      push_moves(row, expert);
      return;
    }
    if (place_[row] == kNone) join_list(row);
    held_[place_[row]] = {row, j, expert.kind};
    if (expert.load > kFewCases) keep_in_heaps(j);
  }

  void keep_in_heaps(std::size_t j) {
    Expert& expert = experts_[j];
    expert.moves.assign(kinds_.size(), CandidateHeap(GoesLater{case_keys_}));
    laden_.push_back(j);
    for (std::size_t i = held_.size(); i > 0; --i) {
      if (held_[i - 1].expert != j) continue;
      push_moves(held_[i - 1].row, expert);
      leave_list(held_[i - 1].row);
    }
  }

  void join_list(std::size_t row) {
    place_[row] = held_.size();
    held_.push_back({});
    price_.push_back(0);
    for (std::size_t kind = 0; kind < kinds_.size(); ++kind) {
      kinds_[kind].held.push_back(margin(row, kind));
    }
  }

  // The last of the list takes its place.
  void leave_list(std::size_t row) {
    const std::size_t place = std::exchange(place_[row], kNone);
    if (place == kNone) return;
    const auto take_place = [place](auto& list) {
      list[place] = list.back();
      list.pop_back();
    };
    if (held_.back().row != row) place_[held_.back().row] = place;
    take_place(held_);
    take_place(price_);
    for (Kind& kind : kinds_) take_place(kind.held);
  }

  void push_moves(std::size_t row, Expert& expert) {
    for (std::size_t to = 0; to < kinds_.size(); ++to) {
      if (to == expert.kind || margin(row, to) == kNeverDefer) continue;
      expert.moves[to].push({margin(row, to) - margin(row, expert.kind), row});
    }
  }

  static constexpr double kRounding = 1e-9;

  std::span<const double> margins_;
  std::span<const std::uint64_t> case_keys_;
  std::vector<std::size_t> column_;  // of the expert in `margins`
  std::vector<Expert> experts_;
  std::vector<Kind> kinds_;
  std::vector<Outlook> outlook_;     // per kind
  std::vector<std::size_t> holder_;  // of each case; kNone: it waits
  std::vector<Held> held_;           // in the hands of experts who hold few
  std::vector<double> price_;        // of these: their margin less the bound of their kind
  std::vector<std::size_t> place_;   // of each case in held_, or kNone
  std::vector<std::size_t> laden_;   // experts who hold many
  double tolerance_ = 0;             // far above the rounding of bounds, far below what matters
  // What the search for the next path finds:
  std::vector<std::size_t> reached_;  // kinds that the best path may pass
  std::vector<double> loss_;          // per kind, of the way from there to an expert with room
  double least_loss_ = 0;             // of all paths
  std::vector<Move> moves_;           // that the best path may take
};

}  // namespace

std::vector<Route> assign_within_capacity(std::span<const double> margins,
                                          std::span<const std::size_t> capacities,
                                          DeferralLimit limit,
                                          std::span<const std::uint64_t> case_keys,
                                          std::span<const std::uint64_t> expert_keys,
                                          const LongWork& work) {
  assert(margins.size() == case_keys.size() * capacities.size());
  assert(expert_keys.size() == capacities.size());
  check_margins(margins);
  check_keys(case_keys, "cases");
  check_keys(expert_keys, "experts");
  if (std::isnan(limit.min_margin)) {
    throw bad_input("minimal margin: nan is not a threshold; expected a number");
  }
  Assignment assignment(margins, capacities, limit.max_cases, case_keys, expert_keys, work);
  std::size_t deferred = 0;
  while (deferred < limit.max_cases && assignment.defer_one(limit.min_margin)) {
    ++deferred;
    work.check();
    if (deferred % kCasesBetweenReports == 0) {
      work.tell(fmt::format("assigning within capacities, {} cases deferred", deferred));
    }
  }
  return assignment.routes();
}

}  // namespace ifd
