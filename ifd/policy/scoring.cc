#include "ifd/policy/scoring.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <exception>
#include <mutex>
#include <thread>

#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

constexpr std::size_t kBlock = 256;

}  // namespace

MarginTable winning_margins(const DeferralPolicy& policy, const Predictions& predictions,
                            std::span<const std::string> expert_names,
                            const Availability& availability, const ScoringOptions& options) {
  const std::size_t n = predictions.size();
  const std::size_t experts = policy.experts();
  assert(expert_names.size() == experts && availability.experts() == experts);
  MarginTable table;
  table.margin.assign(n, kNeverDefer);
  table.expert.assign(n, kNobody);
  const Key key = Key(options.seed).with("equal margins");

  const auto draw = [&](std::size_t row, std::size_t expert) {
    return key.with(predictions.case_name(row)).with(expert_names[expert]).bits();
  };
  std::atomic<std::size_t> next{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;
  const auto work = [&] {
    try {
      std::vector<double> margins;
      for (;;) {
        const std::size_t first = next.fetch_add(kBlock);
        if (first >= n) return;
        const CaseRange rows{first, std::min(n, first + kBlock)};
        margins.resize((rows.last - rows.first) * experts);
        policy.score(predictions, rows, margins);
        for (std::size_t row = rows.first; row < rows.last; ++row) {
          const double* margin = margins.data() + (row - rows.first) * experts;
          std::size_t best = experts;
          for (std::size_t j = 0; j < experts; ++j) {
            if (best < experts && margin[j] < margin[best]) continue;
            if (!availability.may_take(row, j)) continue;
            if (best == experts || margin[j] > margin[best] || draw(row, j) > draw(row, best)) {
              best = j;
            }
          }
          if (best == experts) continue;
          table.margin[row] = margin[best];
          table.expert[row] = expert_id(best);
        }
      }
    } catch (...) {
      const std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = n;
    }
  };

  std::vector<std::thread> helpers;
  for (unsigned t = 1; t < options.threads && t * kBlock < n; ++t) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
  return table;
}

std::vector<double> all_margins(const DeferralPolicy& policy, const Predictions& predictions,
                                const Availability& availability) {
  const std::size_t experts = policy.experts();
  std::vector<double> margins(predictions.size() * experts);
  policy.score(predictions, {0, predictions.size()}, margins);
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    for (std::size_t j = 0; j < experts; ++j) {
      if (!availability.may_take(row, j)) margins[row * experts + j] = kNeverDefer;
    }
  }
  return margins;
}

}  // namespace ifd
