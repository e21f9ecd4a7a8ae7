#include <fmt/format.h>

#include <algorithm>
#include <map>
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

constexpr double kFlat = 0.01;
constexpr double kPriorDistance = 0.02;
// What renaming alone can do to float arithmetic.
constexpr double kRounding = 1e-5;

template <class Visit>
void each_ablation(const Summary& summary, Visit visit) {
  const CellFilter full{
      .experiment = kAblation, .method = kIfdPeakLcb, .scale = kProbability, .measure = kAursac};
  for (const Cell& cell : summary.cells(full)) {
    if (cell.group == kSeen) continue;
    visit(cell,
          fmt::format("{}, {}, {}", data_title(cell.data), cell.experts, group_title(cell.group)));
  }
}

void add_context_gains(const Summary& summary, Claim& claim, const MethodName& method, Side side,
                       double bound) {
  CellFilter filter{.experiment = kContextScaling, .method = method, .measure = kAursac};
  const auto sizes = summary.distinct(filter, &Cell::x);
  if (sizes.size() < 2) return;
  filter.x = sizes.back();
  for (const Cell& most : summary.cells(filter)) {
    Cell least = most;
    least.x = sizes.front();
    add(claim,
        fmt::format("{}, {}, trained with {}, from {:.0f} to {:.0f} answers", method,
                    group_title(most.group), most.setting, sizes.front(), sizes.back()),
        summary.difference(most, least), side, bound);
  }
}

template <class Visit>
void each_certificate(const Summary& summary, Visit visit) {
  const CellFilter changes{
      .experiment = kInvariance, .setting = kCoherent, .measure = kLargestMarginChange};
  std::map<std::pair<DataName, MethodName>, double> largest;
  for (const Cell& cell : summary.cells(changes)) {
    double& most = largest[{cell.data, cell.method}];
    for (const auto& [cohort, value] : summary.values(cell)) most = std::max(most, value);
  }
  std::vector<DataName> data;
  for (const auto& [key, value] : largest) data.push_back(key.first);
  data.erase(std::unique(data.begin(), data.end()), data.end());
  for (const auto& name : data_in_report_order(data)) {
    std::vector<MethodName> methods;
    for (const auto& [key, value] : largest) {
      if (key.first == name) methods.push_back(key.second);
    }
    for (const auto& method : in_report_order(methods)) {
      visit(name, method, largest.at({name, method}));
    }
  }
}

// One finding: whether a stronger prior of this kind is overcome later, and each is at all.
void add_overcome(Claim& claim, const Summary& summary, const DataName& data,
                  const ExpertsName& experts, const char* prior) {
  std::string text;
  bool holds = true;
  double before = 0;
  for (const int strength : {10, 30, 100}) {
    const Setting setting = prior_of_strength(prior, strength);
    if (!summary.has({.experiment = kPriors,
                      .data = data,
                      .experts = experts,
                      .setting = setting,
                      .measure = kMeanAbsoluteError})) {
      continue;
    }
    const auto at = prior_overcome_at(summary, data, experts, setting);
    holds = holds && at && *at >= before;
    if (at) before = *at;
    text += fmt::format("{}S = {}: {}", text.empty() ? "" : ", ", strength,
                        at ? fmt::format("{:.0f} a class", *at) : "never");
  }
  if (text.empty()) return;
  claim.findings.push_back({fmt::format("{}, {}, {}", data_title(data), experts, prior),
                            text + "; published 30, 320, 640", holds});
}

}  // namespace

Claim toy_moves(const Summary& summary) {
  Claim claim{"toy-moves",
              "On the rings, the deferrals of ifd-peak follow the specialty from class 0 to class "
              "2, those of L2D-Pop less so.",
              Claim::Source::kPaper,
              {}};
  const auto share = [](const MethodName& method, const GroupName& group) {
    return share_in_class(method, group, kAtBudget, 2);
  };
  for (const MethodName& baseline : {kPopQi, kPopQc}) {
    add(claim,
        fmt::format("share of deferrals in class 2, gained by ifd-peak minus by {}", baseline),
        summary.difference_of_differences(share(kIfdPeak, kOod), share(kIfdPeak, kId),
                                          share(baseline, kOod), share(baseline, kId)),
        Side::kAtLeast, 0);
  }
  return claim;
}

Claim ablation_full_best(const Summary& summary) {
  Claim claim{"lcb-best",
              "Weighing deferrals by the lower confidence bound is best or within one standard "
              "deviation of the best.",
              Claim::Source::kPaper,
              {}};
  each_ablation(summary, [&](const Cell& full, const std::string& where) {
    const auto own = summary.mean(full);
    if (!own || !own->deviation) return;
    for (const MethodName& variant : {kIfdPeakMean, kIfdPeakBinary}) {
      Cell other = full;
      other.method = variant;
      const auto difference = summary.difference(full, other);
      if (!difference) continue;
      claim.findings.push_back(
          {fmt::format("{}, against {}", where, variant), difference_text(difference),
           difference->mean.value >= -*own->deviation, false, difference->mean.value});
    }
  });
  return claim;
}

Claim ablation_beats_classifier(const Summary& summary) {
  Claim claim{"lcb-beats-classifier",
              "Every weighing of deferrals beats the classifier alone in AURSAC.",
              Claim::Source::kPaper,
              {},
              "AURSAC averages over all budgets up to 1, where experts answer everything. A "
              "classifier that is better than the experts beats that average whatever the "
              "policy; at small budgets deferral still helps (see the budget curves)."};
  each_ablation(summary, [&](const Cell& full, const std::string& where) {
    const Cell model = classifier_alone(full.data, full.experts, full.group);
    for (const MethodName& variant : {kIfdPeakLcb, kIfdPeakMean, kIfdPeakBinary}) {
      Cell cell = full;
      cell.method = variant;
      add(claim, fmt::format("{}, {}", where, variant), summary.difference(cell, model),
          Side::kAtLeast, 0);
    }
  });
  return claim;
}

Claim context_helps(const Summary& summary) {
  Claim claim{"context-helps",
              "ifd-peak turns more answers at test time into a better system.",
              Claim::Source::kPaper,
              {}};
  add_context_gains(summary, claim, kIfdPeak, Side::kAtLeast, 0);
  return claim;
}

Claim pop_flat(const Summary& summary) {
  Claim claim{"pop-flat",
              "L2D-Pop hardly gains from more answers at test time (by .01 at most).",
              Claim::Source::kPaper,
              {},
              "An encoder that averages over its context has less noise with more of it, so some "
              "gain is to be expected."};
  add_context_gains(summary, claim, kPopQi, Side::kAtMost, kFlat);
  add_context_gains(summary, claim, kPopQc, Side::kAtMost, kFlat);
  return claim;
}

Claim priors_overcome(const Summary& summary) {
  Claim claim{"priors-overcome",
              "Wrong priors are overcome as answers come in, the later the stronger they are "
              "(mean error within .02 of the uniform prior's).",
              Claim::Source::kPaper,
              {},
              "With strength S the prior's error shrinks as S / (S + n), so a threshold depends "
              "on the distance asked for; the paper does not say which it asked for."};
  CellFilter errors{.experiment = kPriors, .measure = kMeanAbsoluteError};
  for (const auto& data : data_in_report_order(summary.distinct(errors, &Cell::data))) {
    errors.data = data;
    for (const auto& experts : summary.distinct(errors, &Cell::experts)) {
      for (const char* prior : {"adversarial", "overconfident"}) {
        add_overcome(claim, summary, data, experts, prior);
      }
    }
  }
  return claim;
}

Claim exactly_invariant(const Summary& summary) {
  Claim claim{"exactly-invariant",
              "Renaming the classes of model and experts together moves no margin of an "
              "identity-free policy: exactly 0.",
              Claim::Source::kPaper,
              {}};
  each_certificate(summary, [&](const DataName& data, const MethodName& method, double largest) {
    if (!method.text().starts_with("ifd")) return;
    claim.findings.push_back({fmt::format("{}, {}", data_title(data), method),
                              fmt::format("largest change {:.3g}", largest), largest == 0});
  });
  return claim;
}

Claim baselines_move(const Summary& summary) {
  Claim claim{"baselines-move",
              "Renaming the classes of model and experts together moves the margins of L2D-Pop.",
              Claim::Source::kPaper,
              {}};
  each_certificate(summary, [&](const DataName& data, const MethodName& method, double largest) {
    if (method != kPopQi && method != kPopQc) return;
    claim.findings.push_back({fmt::format("{}, {}", data_title(data), method),
                              fmt::format("largest change {:.3g}", largest), largest > kRounding});
  });
  return claim;
}

std::optional<double> prior_overcome_at(const Summary& summary, const DataName& data,
                                        const ExpertsName& experts, const Setting& setting) {
  const CellFilter errors{.experiment = kPriors,
                          .data = data,
                          .experts = experts,
                          .setting = setting,
                          .measure = kMeanAbsoluteError};
  std::optional<double> from;
  for (const Cell& cell : summary.cells(errors)) {  // by ascending x
    Cell uniform = cell;
    uniform.setting = kUninformativePrior;
    const auto error = summary.mean(cell), reference = summary.mean(uniform);
    if (!error || !reference) return std::nullopt;
    if (error->value > reference->value + kPriorDistance) {
      from.reset();
    } else if (!from) {
      from = cell.x;
    }
  }
  return from;
}

}  // namespace ifd::experiments
