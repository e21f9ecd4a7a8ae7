#include "ifd/policy/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <new>

#include "ifd/error.h"
#include "ifd/policy/row_maximum.h"
#include "ifd/random/keyed_random.h"
#include "ifd/shared_work.h"

namespace ifd {
namespace {

constexpr std::size_t kBlock = 256;

}  // namespace

MarginTable winning_margins(const DeferralPolicy& policy, const Predictions& predictions,
                            std::span<const std::string> expert_names,
                            const Availability& availability, const ScoringOptions& options) {
  const std::size_t n = predictions.size();
  const std::size_t experts = policy.experts();
  if (expert_names.size() != experts || availability.experts() != experts) {
    throw bad_input(
        fmt::format("{} names and {} places on duty; expected one for each of the {} "
                    "experts of the policy",
                    expert_names.size(), availability.experts(), experts));
  }
  MarginTable table;
  table.margin.assign(n, kNeverDefer);
  table.expert.assign(n, kNobody);
  if (experts == 0) return table;
  const Key key = Key(options.seed).with("equal margins");

  const auto draw = [&](std::size_t row, std::size_t expert) {
    return key.with(predictions.case_name(row)).with(expert_names[expert]).bits();
  };
  // Mostly somebody alone has the largest margin and may take the case; only otherwise all are
  // asked.
  const auto winner = [&](std::size_t row, std::span<const double> margin) {
    const RowMaximum top = row_maximum(margin);
    if (top.alone && availability.may_take(case_id(row), expert_id(top.first))) return top.first;
    std::size_t best = experts;
    for (std::size_t j = 0; j < experts; ++j) {
      if (best < experts && margin[j] < margin[best]) continue;
      if (!availability.may_take(case_id(row), expert_id(j))) continue;
      if (best == experts || margin[j] > margin[best] || draw(row, j) > draw(row, best)) best = j;
    }
    return best;
  };
  const auto score_block = [&](std::size_t first, std::vector<double>& margins) {
    options.work.check();
    const CaseRange rows{first, std::min(n, first + kBlock)};
    margins.resize((rows.last - rows.first) * experts);
    policy.score(predictions, rows, margins);
    for (std::size_t row = rows.first; row < rows.last; ++row) {
      const std::span<const double> margin =
          std::span(margins).subspan((row - rows.first) * experts, experts);
      const std::size_t best = winner(row, margin);
      if (best == experts) continue;
      table.margin[row] = margin[best];
      table.expert[row] = expert_id(best);
    }
    if (options.gain != nullptr) options.gain->drop_pointless(predictions, rows, table);
  };
  const std::size_t blocks = (n + kBlock - 1) / kBlock;
  const std::size_t threads = std::min<std::size_t>(options.threads, blocks);
  std::atomic<std::size_t> next{0};
  // Many threads may leave each other no memory. Who has none ends, and its block is for later.
  std::vector<std::size_t> given_up(std::max<std::size_t>(threads, 1));
  std::atomic<std::size_t> without_memory{0};
  const auto work = [&] {
    std::size_t first = n;
    try {
      std::vector<double> margins;
      while ((first = next.fetch_add(kBlock)) < n) score_block(first, margins);
    } catch (const std::bad_alloc&) {
      given_up[without_memory++] = first;
    } catch (...) {
      next = n;  // the other threads need not go on
      throw;
    }
  };
  share_work(static_cast<unsigned>(threads), work);
  std::vector<double> margins;
  for (std::size_t i = 0; i < without_memory; ++i) score_block(given_up[i], margins);
  for (std::size_t first = next; first < n; first += kBlock) score_block(first, margins);
  return table;
}

std::vector<double> all_margins(const DeferralPolicy& policy, const Predictions& predictions,
                                const Availability& availability, const LongWork& work) {
  const std::size_t experts = policy.experts();
  std::vector<double> margins(predictions.size() * experts);
  for (std::size_t first = 0; first < predictions.size(); first += kBlock) {
    work.check();
    const CaseRange rows{first, std::min(predictions.size(), first + kBlock)};
    policy.score(predictions, rows,
                 std::span(margins).subspan(first * experts, (rows.last - first) * experts));
  }
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    for (std::size_t j = 0; j < experts; ++j) {
      if (!availability.may_take(case_id(row), expert_id(j)))
        margins[row * experts + j] = kNeverDefer;
    }
  }
  return margins;
}

}  // namespace ifd
