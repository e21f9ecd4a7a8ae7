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
  CellFilter filter;
  filter.experiment = "lcb";
  filter.method = "ifd-peak-lcb";
  filter.scale = "probability";
  filter.measure = "aursac";
  for (const Cell& cell : summary.cells(filter)) {
    if (cell.group == "seen") continue;
    visit(cell,
          fmt::format("{}, {}, {}", data_title(cell.data), cell.experts, group_title(cell.group)));
  }
}

void add_context_gains(const Summary& summary, Claim& claim, const std::string& method, Side side,
                       double bound) {
  CellFilter filter;
  filter.experiment = "context";
  filter.method = method;
  filter.measure = "aursac";
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
  CellFilter filter;
  filter.experiment = "invariance";
  filter.setting = "coherent";
  filter.measure = "largest_margin_change";
  std::map<std::pair<std::string, std::string>, double> largest;
  for (const Cell& cell : summary.cells(filter)) {
    double& most = largest[{cell.data, cell.method}];
    for (const auto& [cohort, value] : summary.values(cell)) most = std::max(most, value);
  }
  std::vector<std::string> data;
  for (const auto& [key, value] : largest) data.push_back(key.first);
  data.erase(std::unique(data.begin(), data.end()), data.end());
  for (const auto& name : data_in_report_order(data)) {
    std::vector<std::string> methods;
    for (const auto& [key, value] : largest) {
      if (key.first == name) methods.push_back(key.second);
    }
    for (const auto& method : in_report_order(methods)) {
      visit(name, method, largest.at({name, method}));
    }
  }
}

}  // namespace

Claim toy_moves(const Summary& summary) {
  Claim claim{"toy-moves",
              "On the rings, the deferrals of ifd-peak follow the specialty from class 0 to class "
              "2, those of L2D-Pop less so.",
              Claim::Source::kPaper,
              {}};
  const auto share = [](const char* method, const char* group) {
    Cell cell = area("rings", "", group, method);
    cell.experiment = "toy";
    cell.setting = "budget 0.3";
    cell.measure = "share_of_deferred_in_class";
    cell.x = 2;
    return cell;
  };
  for (const char* baseline : {"pop-qi", "pop-qc"}) {
    add(claim,
        fmt::format("share of deferrals in class 2, gained by ifd-peak minus by {}", baseline),
        summary.difference_of_differences(share("ifd-peak", "ood"), share("ifd-peak", "id"),
                                          share(baseline, "ood"), share(baseline, "id")),
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
    for (const char* variant : {"ifd-peak-mean", "ifd-peak-binary"}) {
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
    Cell model = area(full.data, full.experts, full.group, "model");
    model.scale = "";
    model.measure = "accuracy";
    for (const char* variant : {"ifd-peak-lcb", "ifd-peak-mean", "ifd-peak-binary"}) {
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
  add_context_gains(summary, claim, "ifd-peak", Side::kAtLeast, 0);
  return claim;
}

Claim pop_flat(const Summary& summary) {
  Claim claim{"pop-flat",
              "L2D-Pop hardly gains from more answers at test time (by .01 at most).",
              Claim::Source::kPaper,
              {},
              "An encoder that averages over its context has less noise with more of it, so some "
              "gain is to be expected."};
  add_context_gains(summary, claim, "pop-qi", Side::kAtMost, kFlat);
  add_context_gains(summary, claim, "pop-qc", Side::kAtMost, kFlat);
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
  CellFilter errors;
  errors.experiment = "priors";
  errors.measure = "mae";
  for (const auto& data : data_in_report_order(summary.distinct(errors, &Cell::data))) {
    errors.data = data;
    for (const auto& experts : summary.distinct(errors, &Cell::experts)) {
      for (const char* prior : {"adversarial", "overconfident"}) {
        std::vector<std::string> texts;
        bool holds = true;
        double before = 0;
        for (const int strength : {10, 30, 100}) {
          const std::string setting = fmt::format("{} S={}", prior, strength);
          CellFilter here = errors;
          here.experts = experts;
          here.setting = setting;
          if (!summary.has(here)) continue;
          const auto at = prior_overcome_at(summary, data, experts, setting);
          holds = holds && at && *at >= before;
          if (at) before = *at;
          texts.push_back(fmt::format("S = {}: {}", strength,
                                      at ? fmt::format("{:.0f} a class", *at) : "never"));
        }
        if (texts.empty()) continue;
        std::string text;
        for (const auto& part : texts) text += (text.empty() ? "" : ", ") + part;
        claim.findings.push_back({fmt::format("{}, {}, {}", data_title(data), experts, prior),
                                  text + "; published 30, 320, 640", holds});
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
  each_certificate(
      summary, [&](const std::string& data, const std::string& method, double largest) {
        if (!method.starts_with("ifd")) return;
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
  each_certificate(summary, [&](const std::string& data, const std::string& method,
                                double largest) {
    if (method != "pop-qi" && method != "pop-qc") return;
    claim.findings.push_back({fmt::format("{}, {}", data_title(data), method),
                              fmt::format("largest change {:.3g}", largest), largest > kRounding});
  });
  return claim;
}

std::optional<double> prior_overcome_at(const Summary& summary, const std::string& data,
                                        const std::string& experts, const std::string& setting) {
  CellFilter filter;
  filter.experiment = "priors";
  filter.data = data;
  filter.experts = experts;
  filter.setting = setting;
  filter.measure = "mae";
  std::optional<double> from;
  for (const Cell& cell : summary.cells(filter)) {  // by ascending x
    Cell uniform = cell;
    uniform.setting = "uninformative";
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
