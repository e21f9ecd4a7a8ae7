#include <fmt/format.h>

#include <algorithm>
#include <iterator>
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
constexpr double kPriorLoss = 0.005;
constexpr double kAlike = 0.01;
constexpr double kStepBack = 0.001;
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

// What a method gains from the smallest context at test time to the largest.
template <class Visit>
void each_context_gain(const Summary& summary, const MethodName& method, Visit visit) {
  CellFilter filter{.experiment = kContextScaling, .method = method, .measure = kAursac};
  const auto sizes = summary.distinct(filter, &Cell::x);
  if (sizes.size() < 2) return;
  filter.x = sizes.back();
  for (const Cell& most : summary.cells(filter)) {
    Cell least = most;
    least.x = sizes.front();
    visit(fmt::format("{}, {}, trained with {}, from {:.0f} to {:.0f} answers", method,
                      group_title(most.group), most.setting, sizes.front(), sizes.back()),
          summary.difference(most, least));
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

template <class Visit>
void each_wrong_prior(Visit visit) {
  for (const char* prior : {"adversarial", "overconfident"}) {
    for (const PublishedOvercoming& published : kPublishedOvercomings) visit(prior, published);
  }
}

// The mean over all context sizes of what this measure is under a prior, or, where it is an area,
// of what it loses against the uniform prior, for Variable minus for Stable experts.
std::optional<PairedDifference> variable_minus_stable(const Summary& summary, const DataName& data,
                                                      const Setting& prior,
                                                      const MeasureName& measure) {
  const bool is_area = measure == kAursac;
  const CellFilter filter{.experiment = kPriors,
                          .data = data,
                          .experts = kVariable,
                          .method = is_area ? kIfdPeak : MethodName(),
                          .setting = prior,
                          .measure = measure};
  const std::vector<Cell> cells = summary.cells(filter);
  std::vector<Term> terms;
  const double share = 1 / static_cast<double>(cells.size());
  for (Cell cell : cells) {
    for (const auto& [experts, sign] : {std::pair{kVariable, share}, std::pair{kStable, -share}}) {
      cell.experts = experts;
      cell.setting = prior;
      terms.push_back({cell, sign});
      if (!is_area) continue;
      cell.setting = kUninformativePrior;
      terms.push_back({cell, -sign});
    }
  }
  return summary.sum(terms);
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

Claim lcb_ahead(const Summary& summary) {
  Claim claim{"lcb-ahead",
              "Weighing deferrals by the lower confidence bound is ahead of weighing them by the "
              "mean, or by 0 and 1.",
              Claim::Source::kPaper,
              {},
              "",
              "Full is best or statistically tied with the best LCB variant."};
  claim.formerly = "lcb-best";
  each_ablation(summary, [&](const Cell& full, const std::string& where) {
    for (const MethodName& variant : {kIfdPeakMean, kIfdPeakBinary}) {
      Cell other = full;
      other.method = variant;
      add(claim, fmt::format("{}, against {}", where, variant), summary.difference(full, other),
          Side::kAtLeast, 0);
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
    for (const MethodName& variant : {kIfdPeakLcb, kIfdPeakMean, kIfdPeakBinary}) {
      Cell cell = full;
      cell.method = variant;
      Cell model = cell;
      model.measure = kModelAlone;
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
  each_context_gain(summary, kIfdPeak, [&](std::string where, const auto& gain) {
    add(claim, std::move(where), gain, Side::kAtLeast, 0);
  });
  return claim;
}

Claim context_never_hurts(const Summary& summary) {
  Claim claim{"context-monotone",
              "From each size of the test context to the next, ifd-peak loses less than .001.",
              Claim::Source::kPaper,
              {},
              "",
              "IFD consistently turns additional test-time context into better system accuracy"};
  const CellFilter all{.experiment = kContextScaling, .method = kIfdPeak, .measure = kAursac};
  const auto sizes = summary.distinct(all, &Cell::x);
  for (const Cell& more : summary.cells(all)) {
    const auto at = std::ranges::find(sizes, more.x);
    if (at == sizes.begin()) continue;
    Cell fewer = more;
    fewer.x = *std::prev(at);
    add(claim,
        fmt::format("{}, trained with {}, from {:.0f} to {:.0f} answers", group_title(more.group),
                    more.setting, fewer.x, more.x),
        summary.difference(more, fewer), Side::kAtLeast, -kStepBack);
  }
  return claim;
}

Claim pop_flat(const Summary& summary) {
  Claim claim{"pop-flat",
              "More answers at test time move L2D-Pop by .01 at most.",
              Claim::Source::kPaper,
              {},
              "An encoder that averages over its context has less noise with more of it, so some "
              "gain is to be expected."};
  for (const MethodName& method : {kPopQi, kPopQc}) {
    each_context_gain(summary, method, [&](std::string where, const auto& gain) {
      add_level(claim, std::move(where), gain, kFlat);
    });
  }
  return claim;
}

Claim priors_overcome(const Summary& summary) {
  Claim claim{"priors-overcome-in-aursac",
              "A wrong prior is overcome by as many answers per class as the paper says: from then "
              "on ifd-peak loses less than .005 of AURSAC by it.",
              Claim::Source::kPaper,
              {},
              "With strength S the prior's error shrinks as S / (S + n). How much accuracy is lost "
              "by an error depends on where it lies: a swapped best class costs most.",
              "misspecified priors are overcome as context grows"};
  claim.formerly = "priors-overcome";
  const CellFilter areas{.experiment = kPriors, .method = kIfdPeak, .measure = kAursac};
  for (const auto& data : data_in_report_order(summary.distinct(areas, &Cell::data))) {
    for (const auto& experts : {kVariable, kStable}) {
      each_wrong_prior([&](const char* prior, const PublishedOvercoming& published) {
        CellFilter here = areas;
        here.data = data;
        here.experts = experts;
        here.setting = prior_of_strength(prior, published.strength);
        for (const Cell& cell : summary.cells(here)) {  // by ascending x
          if (cell.x < published.answers) continue;
          Cell uniform = cell;
          uniform.setting = kUninformativePrior;
          add(claim,
              fmt::format("{}, {}, {} with {:.0f} answers per class (published {:.0f})",
                          data_title(data), experts, here.setting->text(), cell.x,
                          published.answers),
              summary.difference(cell, uniform), Side::kAtLeast, -kPriorLoss);
          break;
        }
      });
    }
  }
  return claim;
}

Claim priors_alike(const Summary& summary) {
  Claim claim{"priors-alike",
              "Wrong priors do the same to Variable and to Stable experts: averaged over the sizes "
              "of the context, the errors of profiles differ by .01 at most, and so does what "
              "ifd-peak loses of AURSAC.",
              Claim::Source::kPaper,
              {},
              "",
              "The trajectories are near-identical for Stable and Variable Specialists"};
  for (const auto& data :
       data_in_report_order(summary.distinct({.experiment = kPriors}, &Cell::data))) {
    each_wrong_prior([&](const char* prior, const PublishedOvercoming& published) {
      const Setting setting = prior_of_strength(prior, published.strength);
      for (const MeasureName& measure : {kMeanAbsoluteError, kAursac}) {
        add_level(claim,
                  fmt::format("{}, {}, {}, Variable minus Stable", data_title(data), setting,
                              measure == kAursac ? "loss of AURSAC" : "error of profiles"),
                  variable_minus_stable(summary, data, setting, measure), kAlike);
      }
    });
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
    add_exact(claim, fmt::format("{}, {}", data_title(data), method),
              fmt::format("largest change {:.3g}", largest), largest == 0);
  });
  return claim;
}

Claim baselines_move(const Summary& summary) {
  Claim claim{"baselines-move",
              "Renaming the classes of model and experts together moves the margins of L2D-Pop.",
              Claim::Source::kPaper,
              {}};
  claim.by_construction = true;  // a network that reads names, and a bound of rounding errors
  each_certificate(summary, [&](const DataName& data, const MethodName& method, double largest) {
    if (method != kPopQi && method != kPopQc) return;
    add_exact(claim, fmt::format("{}, {}", data_title(data), method),
              fmt::format("largest change {:.3g}", largest), largest > kRounding);
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
