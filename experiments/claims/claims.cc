#include "experiments/claims/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/claims/claim_checks.h"

namespace ifd::experiments {

std::size_t Claim::held() const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(), [](const Finding& f) { return f.holds; }));
}

Claim::Verdict Claim::verdict() const {
  if (findings.empty()) return Verdict::kNotMeasured;
  if (held() == findings.size()) return Verdict::kHolds;
  return held() == 0 ? Verdict::kFails : Verdict::kInPart;
}

std::string verdict_text(const Claim& claim) {
  switch (claim.verdict()) {
    case Claim::Verdict::kHolds:
      return "holds";
    case Claim::Verdict::kInPart:
      return fmt::format("holds in {} of {}", claim.held(), claim.findings.size());
    case Claim::Verdict::kFails:
      return "does not hold";
    case Claim::Verdict::kNotMeasured:
      return "not measured";
  }
  return "";
}

std::vector<Claim> check_claims(const Summary& summary) {
  return {ahead_ood(summary),
          pop_falls(summary),
          ifd_does_not_fall(summary),
          falls_less(summary),
          stable_tied(summary),
          multi_behind(summary),
          fewer_annotations(summary),
          people_order(summary),
          homogeneous(summary),
          toy_moves(summary),
          ablation_full_best(summary),
          ablation_beats_classifier(summary),
          context_helps(summary),
          pop_flat(summary),
          priors_overcome(summary),
          exactly_invariant(summary),
          baselines_move(summary),
          plug_in_above_peak(summary),
          plug_in_near_ceiling(summary),
          residual_above_plug_in(summary),
          calibration_helps(summary),
          renaming_helps_pop(summary),
          combining_helps(summary),
          combining_never_hurts(summary)};
}

}  // namespace ifd::experiments
