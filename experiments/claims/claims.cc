#include "experiments/claims/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/claims/claim_checks.h"

namespace ifd::experiments {

std::size_t Claim::count(Outcome outcome) const {
  return static_cast<std::size_t>(std::ranges::count(findings, outcome, &Finding::outcome));
}

Claim::Verdict Claim::verdict() const {
  if (findings.empty()) return Verdict::kNotMeasured;
  if (count(Outcome::kContradicted) > 0) return Verdict::kContradicted;
  const std::size_t shown = count(Outcome::kShown);
  if (shown == findings.size()) return Verdict::kShown;
  return shown > 0 ? Verdict::kInPart : Verdict::kOpen;
}

std::string outcome_text(Outcome outcome) {
  switch (outcome) {
    case Outcome::kShown:
      return "shown";
    case Outcome::kContradicted:
      return "contradicted";
    case Outcome::kOpen:
      return "open";
  }
  return "";
}

std::string verdict_text(const Claim& claim) {
  if (claim.findings.empty()) return "not measured";
  std::string text;
  for (const Outcome outcome : {Outcome::kShown, Outcome::kContradicted, Outcome::kOpen}) {
    const std::size_t places = claim.count(outcome);
    if (places == claim.findings.size()) return outcome_text(outcome) + " everywhere";
    if (places == 0) continue;
    text += fmt::format("{}{} in {}", text.empty() ? "" : ", ", outcome_text(outcome), places);
  }
  return text;
}

ClaimCounts count_claims(const std::vector<Claim>& claims) {
  ClaimCounts counts;
  for (const Claim& claim : claims) {
    if (claim.by_construction) continue;
    switch (claim.verdict()) {
      case Claim::Verdict::kShown:
        ++counts.shown;
        break;
      case Claim::Verdict::kInPart:
        ++counts.in_part;
        break;
      case Claim::Verdict::kContradicted:
        ++counts.contradicted;
        break;
      case Claim::Verdict::kOpen:
        ++counts.open;
        break;
      case Claim::Verdict::kNotMeasured:
        ++counts.missing;
        continue;
    }
    ++counts.measured;
  }
  return counts;
}

std::vector<Claim> check_claims(const Summary& summary) {
  return {ahead_ood(summary),
          ahead_ood_aurdac(summary),
          pop_falls(summary),
          ifd_does_not_fall(summary),
          falls_less(summary),
          stable_tied(summary),
          multi_behind(summary),
          fewer_annotations(summary),
          people_order(summary),
          gains_grow_with_noise(summary),
          homogeneous(summary),
          toy_moves(summary),
          lcb_ahead(summary),
          ablation_beats_classifier(summary),
          context_helps(summary),
          context_never_hurts(summary),
          pop_flat(summary),
          priors_overcome(summary),
          priors_alike(summary),
          exactly_invariant(summary),
          baselines_move(summary),
          plug_in_above_peak(summary),
          plug_in_near_ceiling(summary),
          residual_ahead_of_plug_in(summary),
          calibration_helps(summary),
          training_cases_mislead(summary),
          balanced_classes_mislead(summary),
          renaming_helps_pop(summary),
          combining_helps(summary),
          combining_never_hurts(summary)};
}

}  // namespace ifd::experiments
