#include "experiments/claims/claim_evidence.h"

#include <fmt/format.h>

#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"

namespace ifd::experiments {

void add(Claim& claim, std::string where, const std::optional<PairedDifference>& difference,
         Side side, double bound, const std::string& more) {
  if (!difference) return;
  const double value = difference->mean.value;
  Finding finding{std::move(where), difference_text(difference) + more,
                  side == Side::kAtLeast ? value >= bound : value <= bound};
  if (const auto& interval = difference->mean.interval) {
    finding.open = interval->low < bound && bound < interval->high;
  }
  finding.value = value;
  claim.findings.push_back(std::move(finding));
}

std::string published_difference(const Cell& a, const Cell& b) {
  const auto of_a = published(a);
  const auto of_b = published(b);
  if (!of_a || !of_b) return "";
  return fmt::format("; published {}", signed_number(of_a->mean - of_b->mean, 2));
}

}  // namespace ifd::experiments
