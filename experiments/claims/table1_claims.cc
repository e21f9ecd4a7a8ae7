#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/claim_checks.h"
#include "experiments/claims/claim_evidence.h"
#include "experiments/claims/named_cells.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"

namespace ifd::experiments {
namespace {

// "At or above" allows what rounding to three digits would hide.
constexpr double kEqual = 0.001;
constexpr double kFall = 0.01;
constexpr double kNearCeiling = 0.01;

const std::array<MethodName, 2> kBaselines = {kPopQi, kPopQc};

MethodName under_random_names(const MethodName& baseline) {
  return baseline == kPopQi ? kPopQiPerm : kPopQcPerm;
}

// OOD experts are good at other classes, and classes differ in number and difficulty.
std::string ceiling_falls(const Summary& summary) {
  std::string falls;
  for (const auto& data : table1_data(summary)) {
    const auto fall = summary.difference(area(data, kVariable, kId, kCeiling),
                                         area(data, kVariable, kOod, kCeiling));
    if (!fall) continue;
    falls +=
        fmt::format("{}{}: {}", falls.empty() ? "" : "; ", data_title(data), difference_text(fall));
  }
  if (falls.empty()) return "";
  return "The groups differ in what they allow anybody: the ceiling, which knows every accuracy, "
         "itself loses from ID to OOD (" +
         falls + "). That is the classes', not the method's, and is subtracted.";
}

// Where plug-in misses the ceiling: in every cohort, or by the luck of a few contexts?
std::string shortfall(const Summary& summary, const DataName& data, const ExpertsName& experts,
                      const GroupName& group) {
  std::vector<std::pair<double, int>> by_cohort;
  for (const auto& [cohort, value] : summary.differences(area(data, experts, group, kPlugIn),
                                                         area(data, experts, group, kCeiling))) {
    by_cohort.emplace_back(value, cohort);
  }
  std::sort(by_cohort.begin(), by_cohort.end());
  const std::size_t half = by_cohort.size() / 2;
  const double median = (by_cohort[by_cohort.size() - 1 - half].first + by_cohort[half].first) / 2;
  std::string text =
      fmt::format("{}, {}, {}: the worst cohort is {} with {}, the median {}.", data_title(data),
                  experts, group_title(group), by_cohort.front().second,
                  signed_number(by_cohort.front().first), signed_number(median));
  const auto seen =
      summary.difference(area(data, experts, kSeen, kPlugIn), area(data, experts, kSeen, kCeiling));
  if (group == kId && seen && seen->mean.value >= -kNearCeiling) {
    text += fmt::format(
        " The seen experts have the same specialties and other contexts, and there it is {}: "
        "what is lost lies in which answers an expert happened to give, not in the rule.",
        difference_text(seen));
  }
  return text;
}

std::string what_renaming_costs(const Summary& summary) {
  std::string changes;
  for (const auto& data : table1_data(summary)) {
    for (const MethodName& method : kBaselines) {
      const auto change = [&](const GroupName& group) {
        return summary.difference(area(data, kVariable, group, under_random_names(method)),
                                  area(data, kVariable, group, method));
      };
      const auto seen = change(kSeen), id = change(kId), ood = change(kOod);
      if (!seen || !id || !ood) continue;
      changes += fmt::format("{}{}, {}: seen {}, ID {}, OOD {}", changes.empty() ? "" : "; ",
                             data_title(data), method, signed_number(seen->mean.value),
                             signed_number(id->mean.value), signed_number(ood->mean.value));
    }
  }
  if (changes.empty()) return "";
  return "What random names change in AURSAC: " + changes +
         ". A fall that is narrower because seen and ID experts are served worse is no better "
         "policy.";
}

// A method and the one it is measured against.
struct Pair {
  MethodName ours;
  MethodName theirs;
};

// Whether ours minus theirs is at least the bound.
void compare(const Summary& summary, Claim& claim, const DataName& data, const ExpertsName& experts,
             const GroupName& group, const Pair& pair, double bound,
             const MeasureName& measure = kAursac) {
  const Cell a = area(data, experts, group, pair.ours, measure);
  const Cell b = area(data, experts, group, pair.theirs, measure);
  add(claim,
      fmt::format("{}, {}, {}, {} minus {}", data_title(data), experts, group_title(group),
                  pair.ours, pair.theirs),
      summary.difference(a, b), Side::kAtLeast, bound, published_difference(a, b));
}

template <class Visit>
void each_area(const Summary& summary, Visit visit) {
  for (const auto& data : table1_data(summary)) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      for (const GroupName& group : {kId, kOod}) visit(data, experts, group);
    }
  }
}

// Whether one policy is ahead of another by the bound with all unseen experts.
void compare_everywhere(const Summary& summary, Claim& claim, const Pair& pair, double bound) {
  each_area(summary, [&](const auto& data, const auto& experts, const auto& group) {
    compare(summary, claim, data, experts, group, pair, bound);
  });
}

// Whether ours falls more than theirs from ID to OOD experts (Variable).
void compare_falls(const Summary& summary, Claim& claim, const DataName& data, const Pair& pair) {
  const auto& [ours, theirs] = pair;
  add(claim, fmt::format("{}, fall of {} minus fall of {}", data_title(data), ours, theirs),
      summary.difference_of_differences(
          area(data, kVariable, kId, ours), area(data, kVariable, kOod, ours),
          area(data, kVariable, kId, theirs), area(data, kVariable, kOod, theirs)),
      Side::kAtLeast, 0);
}

// What a method loses from ID to OOD experts beyond what the ceiling loses (Variable).
std::optional<PairedDifference> own_fall(const Summary& summary, const DataName& data,
                                         const MethodName& method) {
  return summary.difference_of_differences(
      area(data, kVariable, kId, method), area(data, kVariable, kOod, method),
      area(data, kVariable, kId, kCeiling), area(data, kVariable, kOod, kCeiling));
}

// "; published, with what the ceiling loses, +0.05", or nothing.
std::string published_fall(const DataName& data, const MethodName& method) {
  const std::string fall =
      published_difference(area(data, kVariable, kId, method), area(data, kVariable, kOod, method));
  return fall.empty() ? "" : fall + " with the ceiling's";
}

}  // namespace

Claim ahead_ood(const Summary& summary) {
  Claim claim{"ifd-ahead-ood",
              "For Variable experts out of distribution, ifd-peak is ahead of both L2D-Pop "
              "baselines.",
              Claim::Source::kPaper,
              {}};
  for (const auto& data : table1_data(summary)) {
    for (const MethodName& baseline : kBaselines) {
      compare(summary, claim, data, kVariable, kOod, {kIfdPeak, baseline}, 0);
    }
  }
  return claim;
}

Claim ahead_ood_aurdac(const Summary& summary) {
  Claim claim{"ifd-ahead-ood-aurdac",
              "For Variable experts out of distribution, ifd-peak is ahead of both L2D-Pop "
              "baselines in AURDAC, too.",
              Claim::Source::kPaper,
              {},
              "",
              "IFD improves both overall system accuracy (SAC) and the quality of deferred cases "
              "(DAC)."};
  for (const auto& data : table1_data(summary)) {
    for (const MethodName& baseline : kBaselines) {
      compare(summary, claim, data, kVariable, kOod, {kIfdPeak, baseline}, 0, kAurdac);
    }
  }
  return claim;
}

Claim pop_falls(const Summary& summary) {
  Claim claim{"pop-falls",
              "L2D-Pop loses from ID to OOD experts more than the ceiling does (Variable).",
              Claim::Source::kPaper,
              {},
              ceiling_falls(summary),
              "L2D-Pop (QC) and L2D-Pop (QI) exhibit a sharper OOD drop-off."};
  for (const auto& data : table1_data(summary)) {
    for (const MethodName& method : kBaselines) {
      add(claim, fmt::format("{}, {}, ID minus OOD", data_title(data), method),
          own_fall(summary, data, method), Side::kAtLeast, 0, published_fall(data, method));
    }
  }
  return claim;
}

Claim ifd_does_not_fall(const Summary& summary) {
  Claim claim{"ifd-does-not-fall",
              "From ID to OOD experts ifd-peak loses at most .01 more than the ceiling does "
              "(Variable).",
              Claim::Source::kPaper,
              {},
              ceiling_falls(summary)};
  for (const auto& data : table1_data(summary)) {
    add(claim, data_title(data) + ", ID minus OOD", own_fall(summary, data, kIfdPeak),
        Side::kAtMost, kFall, published_fall(data, kIfdPeak));
  }
  return claim;
}

Claim falls_less(const Summary& summary) {
  Claim claim{"ifd-falls-less",
              "From ID to OOD experts ifd-peak loses less than L2D-Pop (Variable).",
              Claim::Source::kPaper,
              {}};
  for (const auto& data : table1_data(summary)) {
    for (const MethodName& method : kBaselines) {
      compare_falls(summary, claim, data, {method, kIfdPeak});
    }
  }
  return claim;
}

Claim stable_tied(const Summary& summary) {
  Claim claim{"stable-tied",
              "For Stable experts ifd-peak is ahead of or level with L2D-Pop (by −.005 at "
              "least).",
              Claim::Source::kPaper,
              {}};
  for (const auto& data : table1_data(summary)) {
    for (const GroupName& group : {kId, kOod}) {
      for (const MethodName& baseline : kBaselines) {
        compare(summary, claim, data, kStable, group, {kIfdPeak, baseline}, -.005);
      }
    }
  }
  return claim;
}

Claim multi_behind(const Summary& summary) {
  Claim claim{"multi-behind",
              "Multi-Expert L2D is behind ifd-peak on ID experts.",
              Claim::Source::kPaper,
              {},
              "We score each expert with that expert's own column of the head, which is the "
              "strongest reading of the method."};
  for (const auto& data : table1_data(summary)) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      compare(summary, claim, data, experts, kId, {kIfdPeak, kMultiExpert}, 0);
    }
  }
  return claim;
}

Claim fewer_annotations(const Summary& summary) {
  Claim claim{"fewer-annotations",
              "Identity-free policies need fewer answers of experts than L2D-Pop.",
              Claim::Source::kPaper,
              {}};
  claim.by_construction = true;  // the experiment sets both numbers
  for (const auto& data : table1_data(summary)) {
    const auto a = summary.mean(answers_used(data, kVariable, kIfdPeak));
    const auto b = summary.mean(answers_used(data, kVariable, kPopQi));
    if (!a || !b) continue;
    add_exact(claim, data_title(data), fmt::format("{:.0f} against {:.0f}", a->value, b->value),
              a->value < b->value);
  }
  return claim;
}

Claim plug_in_above_peak(const Summary& summary) {
  Claim claim{"plug-in-above-peak",
              "The untrained plug-in rule is at or above ifd-peak (to .001).",
              Claim::Source::kOurs,
              {}};
  compare_everywhere(summary, claim, {kPlugIn, kIfdPeak}, -kEqual);
  return claim;
}

Claim plug_in_near_ceiling(const Summary& summary) {
  Claim claim{"plug-in-near-ceiling",
              "Plug-in is within .01 of the ceiling, which knows every expert's true accuracy on "
              "every case.",
              Claim::Source::kOurs,
              {}};
  each_area(summary, [&](const auto& data, const auto& experts, const auto& group) {
    const std::size_t before = claim.findings.size();
    add(claim, fmt::format("{}, {}, {}", data_title(data), experts, group_title(group)),
        summary.difference(area(data, experts, group, kPlugIn),
                           area(data, experts, group, kCeiling)),
        Side::kAtLeast, -kNearCeiling);
    if (claim.findings.size() > before && claim.findings.back().outcome != Outcome::kShown) {
      if (!claim.reading.empty()) claim.reading += ' ';
      claim.reading += shortfall(summary, data, experts, group);
    }
  });
  return claim;
}

Claim residual_ahead_of_plug_in(const Summary& summary) {
  Claim claim{"residual-ahead-of-plug-in",
              "Training pays: ifd-residual, which starts at the plug-in rule, ends ahead of it by "
              ".001 or more.",
              Claim::Source::kOurs,
              {},
              "Its first epoch is the plug-in rule, and validation may keep that epoch: being "
              "level would show nothing."};
  claim.formerly = "residual-above-plug-in";
  compare_everywhere(summary, claim, {kIfdResidual, kPlugIn}, kEqual);
  return claim;
}

Claim renaming_helps_pop(const Summary& summary) {
  Claim claim{"renaming-narrows",
              "Training L2D-Pop under random class names narrows its fall from ID to OOD "
              "(Variable).",
              Claim::Source::kOurs,
              {}};
  for (const auto& data : table1_data(summary)) {
    for (const MethodName& method : kBaselines) {
      compare_falls(summary, claim, data, {method, under_random_names(method)});
    }
  }
  claim.reading = what_renaming_costs(summary);
  return claim;
}

}  // namespace ifd::experiments
