#include "experiments/claims/claim_evidence.h"

#include <fmt/format.h>

#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"

namespace ifd::experiments {

Outcome beyond(const std::optional<Interval>& interval, Side side, double bound) {
  if (!interval) return Outcome::kOpen;
  const bool above = interval->low > bound, below = interval->high < bound;
  if (!above && !below) return Outcome::kOpen;
  return above == (side == Side::kAtLeast) ? Outcome::kShown : Outcome::kContradicted;
}

Outcome inside(const std::optional<Interval>& interval, double width) {
  if (!interval) return Outcome::kOpen;
  if (interval->low >= -width && interval->high <= width) return Outcome::kShown;
  return interval->low > width || interval->high < -width ? Outcome::kContradicted : Outcome::kOpen;
}

void add(Claim& claim, std::string where, const std::optional<PairedDifference>& difference,
         Side side, double bound, const std::string& more) {
  if (!difference) return;
  claim.findings.push_back({std::move(where), difference_text(difference) + more,
                            beyond(difference->mean.interval, side, bound),
                            difference->mean.value});
}

void add_level(Claim& claim, std::string where, const std::optional<PairedDifference>& difference,
               double width, const std::string& more) {
  if (!difference) return;
  claim.findings.push_back({std::move(where), difference_text(difference) + more,
                            inside(difference->mean.interval, width), difference->mean.value});
}

void add_exact(Claim& claim, std::string where, std::string numbers, bool holds) {
  claim.findings.push_back(
      {std::move(where), std::move(numbers), holds ? Outcome::kShown : Outcome::kContradicted});
}

std::string published_difference(const Cell& a, const Cell& b) {
  const auto of_a = published(a);
  const auto of_b = published(b);
  if (!of_a || !of_b) return "";
  return fmt::format("; published {}", signed_number(of_a->mean - of_b->mean, 2));
}

}  // namespace ifd::experiments
