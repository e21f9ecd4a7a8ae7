#include "experiments/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "experiments/published.h"
#include "experiments/study_text.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

// "At or above" allows what rounding to three digits would hide.
constexpr double kEqual = 0.001;
constexpr double kFall = 0.01;
constexpr double kNearCeiling = 0.01;
constexpr double kFlat = 0.01;
constexpr double kPriorDistance = 0.02;
// What renaming alone can do to float arithmetic.
constexpr double kRounding = 1e-5;

Cell area(std::string data, std::string experts, std::string group, std::string method) {
  Cell cell;
  cell.experiment = "table1";
  cell.data = std::move(data);
  cell.experts = std::move(experts);
  cell.group = std::move(group);
  cell.method = std::move(method);
  cell.scale = "probability";
  cell.measure = "aursac";
  return cell;
}

Cell people_area(std::string setting, std::string group, std::string method) {
  Cell cell = area("imagenet16h", "2 people", std::move(group), std::move(method));
  cell.experiment = "imagenet16h";
  cell.setting = std::move(setting);
  return cell;
}

enum class Side { kAtLeast, kAtMost };

// Whether the mean difference lies on this side of the bound.
void add(Claim& claim, std::string where, const std::optional<PairedDifference>& difference,
         Side side, double bound, const std::string& more = {}) {
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

class Checker {
 public:
  explicit Checker(const Summary& summary) : summary_(summary) {
    CellFilter table1;
    table1.experiment = "table1";
    data_ = data_in_report_order(summary.distinct(table1, &Cell::data));
  }

  Claim ahead_ood() const {
    Claim claim{"ifd-ahead-ood",
                "For Variable experts out of distribution, ifd-peak is ahead of both L2D-Pop "
                "baselines.",
                Claim::Source::kPaper,
                {}};
    for (const auto& data : data_) {
      for (const char* baseline : {"pop-qi", "pop-qc"}) {
        compare(claim, data, "variable", "ood", "ifd-peak", baseline, 0);
      }
    }
    return claim;
  }

  Claim pop_falls() const {
    Claim claim{"pop-falls",
                "L2D-Pop falls from ID to OOD experts (Variable).",
                Claim::Source::kPaper,
                {},
                ceiling_falls()};
    for (const auto& data : data_) {
      for (const char* method : {"pop-qi", "pop-qc"}) {
        const Cell id = area(data, "variable", "id", method);
        const Cell ood = area(data, "variable", "ood", method);
        add(claim, fmt::format("{}, {}, ID minus OOD", data_title(data), method),
            summary_.difference(id, ood), Side::kAtLeast, 0, published_difference(id, ood));
      }
    }
    return claim;
  }

  Claim ifd_does_not_fall() const {
    Claim claim{"ifd-does-not-fall",
                "ifd-peak does not fall from ID to OOD experts (Variable; by .01 at most).",
                Claim::Source::kPaper,
                {},
                ceiling_falls()};
    for (const auto& data : data_) {
      const Cell id = area(data, "variable", "id", "ifd-peak");
      const Cell ood = area(data, "variable", "ood", "ifd-peak");
      add(claim, data_title(data) + ", ID minus OOD", summary_.difference(id, ood), Side::kAtMost,
          kFall, published_difference(id, ood));
    }
    return claim;
  }

  Claim falls_less() const {
    Claim claim{"ifd-falls-less",
                "From ID to OOD experts ifd-peak loses less than L2D-Pop (Variable).",
                Claim::Source::kPaper,
                {},
                ceiling_falls()};
    for (const auto& data : data_) {
      for (const char* method : {"pop-qi", "pop-qc"}) {
        add(claim, fmt::format("{}, fall of {} minus fall of ifd-peak", data_title(data), method),
            summary_.difference_of_differences(area(data, "variable", "id", method),
                                               area(data, "variable", "ood", method),
                                               area(data, "variable", "id", "ifd-peak"),
                                               area(data, "variable", "ood", "ifd-peak")),
            Side::kAtLeast, 0);
      }
    }
    return claim;
  }

  Claim stable_tied() const {
    Claim claim{"stable-tied",
                "For Stable experts ifd-peak is ahead of or level with L2D-Pop (by −.005 at "
                "least).",
                Claim::Source::kPaper,
                {}};
    for (const auto& data : data_) {
      for (const char* group : {"id", "ood"}) {
        for (const char* baseline : {"pop-qi", "pop-qc"}) {
          compare(claim, data, "stable", group, "ifd-peak", baseline, -.005);
        }
      }
    }
    return claim;
  }

  Claim multi_behind() const {
    Claim claim{"multi-behind",
                "Multi-Expert L2D is behind ifd-peak on ID experts.",
                Claim::Source::kPaper,
                {},
                "We score each expert with that expert's own column of the head, which is the "
                "strongest reading of the method."};
    for (const auto& data : data_) {
      for (const char* experts : {"variable", "stable"}) {
        compare(claim, data, experts, "id", "ifd-peak", "multi-expert", 0);
      }
    }
    return claim;
  }

  Claim fewer_annotations() const {
    Claim claim{"fewer-annotations",
                "Identity-free policies need fewer answers of experts than L2D-Pop.",
                Claim::Source::kPaper,
                {}};
    for (const auto& data : data_) {
      Cell ours = area(data, "variable", "", "ifd-peak");
      ours.scale = "";
      ours.measure = "annotations";
      Cell theirs = ours;
      theirs.method = "pop-qi";
      const auto a = summary_.mean(ours), b = summary_.mean(theirs);
      if (!a || !b) continue;
      claim.findings.push_back({data_title(data),
                                fmt::format("{:.0f} against {:.0f}", a->value, b->value),
                                a->value < b->value});
    }
    return claim;
  }

  Claim people_order() const {
    Claim claim{"people-order",
                "With real people (ImageNet-16H, two on duty) ifd-peak is ahead of both L2D-Pop "
                "baselines at every noise level.",
                Claim::Source::kPaper,
                {},
                "Our policies read the study's own ResNet-152 probabilities rather than a network "
                "trained for this task."};
    for (const std::string& noise : noises()) {
      for (const char* group : {"id", "ood"}) {
        for (const char* baseline : {"pop-qi", "pop-qc"}) {
          const Cell ours = people_area(noise, group, "ifd-peak");
          const Cell theirs = people_area(noise, group, baseline);
          add(claim, fmt::format("{}, {}, against {}", noise, group_title(group), baseline),
              summary_.difference(ours, theirs), Side::kAtLeast, 0,
              published_difference(ours, theirs));
        }
      }
    }
    return claim;
  }

  Claim homogeneous() const {
    Claim claim{"people-alike",
                "People on ImageNet-16H are alike: their fingerprints correlate by .926 on average "
                "(to .01).",
                Claim::Source::kPaper,
                {}};
    Cell cell;
    cell.experiment = cell.data = "imagenet16h";
    cell.method = "people";
    cell.measure = "fingerprint_correlation";
    if (const auto mean = summary_.mean(cell)) {
      claim.findings.push_back({"ImageNet-16H", fixed(mean->value, 3),
                                std::abs(mean->value - kPublishedFingerprintCorrelation) <= .01});
    }
    return claim;
  }

  Claim toy_moves() const {
    Claim claim{
        "toy-moves",
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
          summary_.difference_of_differences(share("ifd-peak", "ood"), share("ifd-peak", "id"),
                                             share(baseline, "ood"), share(baseline, "id")),
          Side::kAtLeast, 0);
    }
    return claim;
  }

  Claim ablation_full_best() const {
    Claim claim{"lcb-best",
                "Weighing deferrals by the lower confidence bound is best or within one standard "
                "deviation of the best.",
                Claim::Source::kPaper,
                {}};
    each_ablation([&](const Cell& full, const std::string& where) {
      const auto own = summary_.mean(full);
      if (!own || !own->deviation) return;
      for (const char* variant : {"ifd-peak-mean", "ifd-peak-binary"}) {
        Cell other = full;
        other.method = variant;
        const auto difference = summary_.difference(full, other);
        if (!difference) continue;
        claim.findings.push_back(
            {fmt::format("{}, against {}", where, variant), difference_text(difference),
             difference->mean.value >= -*own->deviation, false, difference->mean.value});
      }
    });
    return claim;
  }

  Claim ablation_beats_classifier() const {
    Claim claim{"lcb-beats-classifier",
                "Every weighing of deferrals beats the classifier alone in AURSAC.",
                Claim::Source::kPaper,
                {},
                "AURSAC averages over all budgets up to 1, where experts answer everything. A "
                "classifier that is better than the experts beats that average whatever the "
                "policy; at small budgets deferral still helps (see the budget curves)."};
    each_ablation([&](const Cell& full, const std::string& where) {
      Cell model = area(full.data, full.experts, full.group, "model");
      model.scale = "";
      model.measure = "accuracy";
      for (const char* variant : {"ifd-peak-lcb", "ifd-peak-mean", "ifd-peak-binary"}) {
        Cell cell = full;
        cell.method = variant;
        add(claim, fmt::format("{}, {}", where, variant), summary_.difference(cell, model),
            Side::kAtLeast, 0);
      }
    });
    return claim;
  }

  Claim context_helps() const {
    Claim claim{"context-helps",
                "ifd-peak turns more answers at test time into a better system.",
                Claim::Source::kPaper,
                {}};
    add_context_gains(claim, "ifd-peak", Side::kAtLeast, 0);
    return claim;
  }

  Claim pop_flat() const {
    Claim claim{"pop-flat",
                "L2D-Pop hardly gains from more answers at test time (by .01 at most).",
                Claim::Source::kPaper,
                {},
                "An encoder that averages over its context has less noise with more of it, so some "
                "gain is to be expected."};
    add_context_gains(claim, "pop-qi", Side::kAtMost, kFlat);
    add_context_gains(claim, "pop-qc", Side::kAtMost, kFlat);
    return claim;
  }

  Claim priors_overcome() const {
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
    for (const auto& data : data_in_report_order(summary_.distinct(errors, &Cell::data))) {
      errors.data = data;
      for (const auto& experts : summary_.distinct(errors, &Cell::experts)) {
        for (const char* prior : {"adversarial", "overconfident"}) {
          std::vector<std::string> texts;
          bool holds = true;
          double before = 0;
          for (const int strength : {10, 30, 100}) {
            const std::string setting = fmt::format("{} S={}", prior, strength);
            CellFilter here = errors;
            here.experts = experts;
            here.setting = setting;
            if (!summary_.has(here)) continue;
            const auto at = prior_overcome_at(summary_, data, experts, setting);
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

  Claim exactly_invariant() const {
    Claim claim{"exactly-invariant",
                "Renaming the classes of model and experts together moves no margin of an "
                "identity-free policy: exactly 0.",
                Claim::Source::kPaper,
                {}};
    each_certificate([&](const std::string& data, const std::string& method, double largest) {
      if (!method.starts_with("ifd")) return;
      claim.findings.push_back({fmt::format("{}, {}", data_title(data), method),
                                fmt::format("largest change {:.3g}", largest), largest == 0});
    });
    return claim;
  }

  Claim baselines_move() const {
    Claim claim{"baselines-move",
                "Renaming the classes of model and experts together moves the margins of L2D-Pop.",
                Claim::Source::kPaper,
                {}};
    each_certificate([&](const std::string& data, const std::string& method, double largest) {
      if (method != "pop-qi" && method != "pop-qc") return;
      claim.findings.push_back({fmt::format("{}, {}", data_title(data), method),
                                fmt::format("largest change {:.3g}", largest),
                                largest > kRounding});
    });
    return claim;
  }

  Claim plug_in_above_peak() const {
    Claim claim{"plug-in-above-peak",
                "The untrained plug-in rule is at or above ifd-peak (to .001).",
                Claim::Source::kOurs,
                {}};
    each_area([&](const auto& data, const auto& experts, const auto& group) {
      compare(claim, data, experts, group, "plug-in", "ifd-peak", -kEqual);
    });
    return claim;
  }

  Claim plug_in_near_ceiling() const {
    Claim claim{"plug-in-near-ceiling",
                "Plug-in is within .01 of the ceiling, which knows every expert's true accuracy on "
                "every case.",
                Claim::Source::kOurs,
                {}};
    each_area([&](const auto& data, const auto& experts, const auto& group) {
      const std::size_t before = claim.findings.size();
      add(claim, fmt::format("{}, {}, {}", data_title(data), experts, group_title(group)),
          summary_.difference(area(data, experts, group, "plug-in"),
                              area(data, experts, group, "ceiling")),
          Side::kAtLeast, -kNearCeiling);
      if (claim.findings.size() > before && !claim.findings.back().holds) {
        claim.reading += (claim.reading.empty() ? "" : " ") + shortfall(data, experts, group);
      }
    });
    return claim;
  }

  Claim residual_above_plug_in() const {
    Claim claim{"residual-above-plug-in",
                "ifd-residual, which starts at the plug-in rule, ends at or above it (to .001).",
                Claim::Source::kOurs,
                {}};
    each_area([&](const auto& data, const auto& experts, const auto& group) {
      compare(claim, data, experts, group, "ifd-residual", "plug-in", -kEqual);
    });
    return claim;
  }

  Claim calibration_helps() const {
    Claim claim{"calibration-helps",
                "Recalibrating the classifier on the context is worth .01 or more on ImageNet-16H "
                "(.005 or more, rounded).",
                Claim::Source::kOurs,
                {}};
    for (const std::string& noise : noises()) {
      for (const char* group : {"id", "ood"}) {
        add(claim, fmt::format("{}, {}", noise, group_title(group)),
            summary_.difference(people_area(noise, group, "plug-in-context-calibrated"),
                                people_area(noise, group, "plug-in")),
            Side::kAtLeast, .005);
      }
    }
    return claim;
  }

  Claim renaming_helps_pop() const {
    Claim claim{"renaming-narrows",
                "Training L2D-Pop under random class names narrows its fall from ID to OOD "
                "(Variable).",
                Claim::Source::kOurs,
                {}};
    for (const auto& data : data_) {
      for (const std::string method : {"pop-qi", "pop-qc"}) {
        const std::string perm = method + "-perm";
        add(claim, fmt::format("{}, fall of {} minus fall of {}", data_title(data), method, perm),
            summary_.difference_of_differences(
                area(data, "variable", "id", method), area(data, "variable", "ood", method),
                area(data, "variable", "id", perm), area(data, "variable", "ood", perm)),
            Side::kAtLeast, 0);
      }
    }
    claim.reading = what_renaming_costs();
    return claim;
  }

 private:
  // OOD experts are good at other classes, and classes differ in number and difficulty.
  std::string ceiling_falls() const {
    std::string falls;
    for (const auto& data : data_) {
      const auto fall = summary_.difference(area(data, "variable", "id", "ceiling"),
                                            area(data, "variable", "ood", "ceiling"));
      if (!fall) continue;
      falls += fmt::format("{}{}: {}", falls.empty() ? "" : "; ", data_title(data),
                           difference_text(fall));
    }
    if (falls.empty()) return "";
    return "The groups differ in what they allow anybody: the ceiling, which knows every accuracy, "
           "itself loses from ID to OOD (" +
           falls + "). A fall or rise of that size is the classes', not the method's.";
  }

  // Where plug-in misses the ceiling: in every cohort, or by the luck of a few contexts?
  std::string shortfall(const std::string& data, const std::string& experts,
                        const std::string& group) const {
    std::vector<std::pair<double, int>> by_cohort;
    for (const auto& [cohort, value] : summary_.differences(
             area(data, experts, group, "plug-in"), area(data, experts, group, "ceiling"))) {
      by_cohort.emplace_back(value, cohort);
    }
    std::sort(by_cohort.begin(), by_cohort.end());
    const std::size_t half = by_cohort.size() / 2;
    const double median =
        (by_cohort[by_cohort.size() - 1 - half].first + by_cohort[half].first) / 2;
    std::string text =
        fmt::format("{}, {}, {}: the worst cohort is {} with {}, the median {}.", data_title(data),
                    experts, group_title(group), by_cohort.front().second,
                    signed_number(by_cohort.front().first), signed_number(median));
    const auto seen = summary_.difference(area(data, experts, "seen", "plug-in"),
                                          area(data, experts, "seen", "ceiling"));
    if (group == "id" && seen && seen->mean.value >= -kNearCeiling) {
      text += fmt::format(
          " The seen experts have the same specialties and other contexts, and there it is {}: "
          "what is lost lies in which answers an expert happened to give, not in the rule.",
          difference_text(seen));
    }
    return text;
  }

  std::string what_renaming_costs() const {
    std::string changes;
    for (const auto& data : data_) {
      for (const std::string method : {"pop-qi", "pop-qc"}) {
        const auto change = [&](const char* group) {
          return summary_.difference(area(data, "variable", group, method + "-perm"),
                                     area(data, "variable", group, method));
        };
        const auto seen = change("seen"), id = change("id"), ood = change("ood");
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

  void compare(Claim& claim, const std::string& data, const std::string& experts,
               const std::string& group, const std::string& ours, const std::string& theirs,
               double bound) const {
    const Cell a = area(data, experts, group, ours);
    const Cell b = area(data, experts, group, theirs);
    add(claim,
        fmt::format("{}, {}, {}, {} minus {}", data_title(data), experts, group_title(group), ours,
                    theirs),
        summary_.difference(a, b), Side::kAtLeast, bound, published_difference(a, b));
  }

  template <class Visit>
  void each_area(Visit visit) const {
    for (const auto& data : data_) {
      for (const std::string experts : {"variable", "stable"}) {
        for (const std::string group : {"id", "ood"}) visit(data, experts, group);
      }
    }
  }

  std::vector<std::string> noises() const {
    std::vector<std::string> found;
    for (const char* noise : {"noise=95", "noise=110", "noise=125"}) {
      CellFilter filter;
      filter.experiment = "imagenet16h";
      filter.setting = noise;
      if (summary_.has(filter)) found.emplace_back(noise);
    }
    return found;
  }

  template <class Visit>
  void each_ablation(Visit visit) const {
    CellFilter filter;
    filter.experiment = "lcb";
    filter.method = "ifd-peak-lcb";
    filter.scale = "probability";
    filter.measure = "aursac";
    for (const Cell& cell : summary_.cells(filter)) {
      if (cell.group == "seen") continue;
      visit(cell, fmt::format("{}, {}, {}", data_title(cell.data), cell.experts,
                              group_title(cell.group)));
    }
  }

  void add_context_gains(Claim& claim, const std::string& method, Side side, double bound) const {
    CellFilter filter;
    filter.experiment = "context";
    filter.method = method;
    filter.measure = "aursac";
    const auto sizes = summary_.distinct(filter, &Cell::x);
    if (sizes.size() < 2) return;
    filter.x = sizes.back();
    for (const Cell& most : summary_.cells(filter)) {
      Cell least = most;
      least.x = sizes.front();
      add(claim,
          fmt::format("{}, {}, trained with {}, from {:.0f} to {:.0f} answers", method,
                      group_title(most.group), most.setting, sizes.front(), sizes.back()),
          summary_.difference(most, least), side, bound);
    }
  }

  template <class Visit>
  void each_certificate(Visit visit) const {
    CellFilter filter;
    filter.experiment = "invariance";
    filter.setting = "coherent";
    filter.measure = "largest_margin_change";
    std::map<std::pair<std::string, std::string>, double> largest;
    for (const Cell& cell : summary_.cells(filter)) {
      double& most = largest[{cell.data, cell.method}];
      for (const auto& [cohort, value] : summary_.values(cell)) most = std::max(most, value);
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

  const Summary& summary_;
  std::vector<std::string> data_;
};

}  // namespace

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

std::vector<Claim> check_claims(const Summary& summary) {
  const Checker check(summary);
  return {check.ahead_ood(),
          check.pop_falls(),
          check.ifd_does_not_fall(),
          check.falls_less(),
          check.stable_tied(),
          check.multi_behind(),
          check.fewer_annotations(),
          check.people_order(),
          check.homogeneous(),
          check.toy_moves(),
          check.ablation_full_best(),
          check.ablation_beats_classifier(),
          check.context_helps(),
          check.pop_flat(),
          check.priors_overcome(),
          check.exactly_invariant(),
          check.baselines_move(),
          check.plug_in_above_peak(),
          check.plug_in_near_ceiling(),
          check.residual_above_plug_in(),
          check.calibration_helps(),
          check.renaming_helps_pop()};
}

}  // namespace ifd::experiments
