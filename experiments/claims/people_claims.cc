#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "experiments/claims/calibration_gains.h"
#include "experiments/claims/claim_checks.h"
#include "experiments/claims/claim_evidence.h"
#include "experiments/claims/named_cells.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

std::vector<int> noises(const Summary& summary) {
  std::vector<int> found;
  for (const int noise : kReportedNoises) {
    if (summary.has({.experiment = kImageNet16H, .setting = at_noise(noise)})) {
      found.push_back(noise);
    }
  }
  return found;
}

}  // namespace

Claim people_order(const Summary& summary) {
  Claim claim{"people-order",
              "With real people (ImageNet-16H, two on duty) ifd-peak is ahead of both L2D-Pop "
              "baselines at every noise level.",
              Claim::Source::kPaper,
              {},
              "Our policies read the data set's own ResNet-152 probabilities rather than a "
              "network trained for this task. " +
                  who_id_people_are(summary)};
  for (const int noise : noises(summary)) {
    for (const GroupName& group : {kId, kOod}) {
      for (const MethodName& baseline : {kPopQi, kPopQc}) {
        const Cell ours = people_area(kTwoPeople, group, kIfdPeak, noise);
        const Cell theirs = people_area(kTwoPeople, group, baseline, noise);
        add(claim, fmt::format("noise={}, {}, against {}", noise, group_title(group), baseline),
            summary.difference(ours, theirs), Side::kAtLeast, 0,
            published_difference(ours, theirs));
      }
    }
  }
  return claim;
}

Claim gains_grow_with_noise(const Summary& summary) {
  Claim claim{"gains-grow-with-noise",
              "With real people ifd-peak gains more on L2D-Pop at the highest noise than at the "
              "lowest that is reported.",
              Claim::Source::kPaper,
              {},
              "",
              "gains most pronounced at higher noise"};
  const auto levels = noises(summary);
  if (levels.size() < 2) return claim;
  for (const GroupName& group : {kId, kOod}) {
    for (const MethodName& baseline : {kPopQi, kPopQc}) {
      const auto at = [&](const MethodName& method, int noise) {
        return people_area(kTwoPeople, group, method, noise);
      };
      add(claim,
          fmt::format("{}, against {}, gain at {} minus at {}", group_title(group), baseline,
                      levels.back(), levels.front()),
          summary.difference_of_differences(
              at(kIfdPeak, levels.back()), at(baseline, levels.back()),
              at(kIfdPeak, levels.front()), at(baseline, levels.front())),
          Side::kAtLeast, 0);
    }
  }
  return claim;
}

Claim homogeneous(const Summary& summary) {
  Claim claim{"people-alike",
              fmt::format("People on ImageNet-16H are alike: their fingerprints correlate by {} on "
                          "average (to .01).",
                          fixed(kPublishedFingerprintCorrelation, 3)),
              Claim::Source::kPaper,
              {}};
  if (const auto mean = summary.mean(people_cell(kFingerprintCorrelation))) {
    add_exact(claim, data_title(kImageNet16HData), fixed(mean->value, 3),
              std::abs(mean->value - kPublishedFingerprintCorrelation) <= .01);
  }
  return claim;
}

Claim calibration_helps(const Summary& summary) {
  Claim claim{
      "calibration-helps-deferral",
      "Calibrating the classifier on the context is worth .005 or more to plug-in on "
      "ImageNet-16H, beyond what the model's own answers gain.",
      Claim::Source::kOurs,
      {},
      "A temperature leaves the model's answers as they are. Offsets per class change them, "
      "and what that gains, everybody asked as with the raw classifier, is subtracted."};
  claim.formerly = "calibration-helps";
  for (const PeoplePlace& place : people_places()) {
    for (const CalibrationGain& gain : gains_under_shift(summary, {place})) {
      const std::string in_all = fmt::format("; in all {}", signed_number(gain.whole->mean.value));
      add(claim,
          fmt::format("noise={}, {}, {}", place.noise, group_title(place.group),
                      name_of(gain.given)),
          gain.of_deferral, Side::kAtLeast, .005, in_all);
    }
  }
  return claim;
}

}  // namespace ifd::experiments
