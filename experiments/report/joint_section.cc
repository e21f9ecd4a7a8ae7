#include "experiments/report/joint_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = Document::Reach;

Cell joint_cell(const DataName& data, const GroupName& group, const MethodName& method,
                const Setting& setting, const MeasureName& measure) {
  return {.experiment = kJoint,
          .data = data,
          .experts = kVariable,
          .group = group,
          .method = method,
          .setting = setting,
          .scale = kProbability,
          .measure = measure};
}

// A method on one of the classifiers.
struct Pairing {
  MethodName method;
  Setting setting;

  bool is_joint() const { return setting != kFrozen && setting != kFrozenBriefly; }
  std::string title() const {
    return setting == joint_with(method) || !is_joint() ? method.text()
                                                        : method.text() + ", " + setting.text();
  }
};

std::vector<MethodName> methods_measured(const Summary& summary, const DataName& data) {
  return in_report_order(
      summary.distinct({.experiment = kJoint, .data = data, .measure = kAursac}, &Cell::method));
}

// Method by method: frozen, frozen as briefly, joint.
std::vector<Pairing> pairings(const Summary& summary, const DataName& data) {
  std::vector<Pairing> all;
  const auto methods = methods_measured(summary, data);
  for (const MethodName& method : methods) {
    std::vector<Setting> settings = {kFrozen, kFrozenBriefly};
    for (const MethodName& other : methods) settings.push_back(joint_with(other));
    for (const Setting& setting : settings) {
      const CellFilter measured{.experiment = kJoint,
                                .data = data,
                                .method = method,
                                .setting = setting,
                                .measure = kAursac};
      if (summary.has(measured)) all.push_back({method, setting});
    }
  }
  return all;
}

Table joint_table(const Summary& summary, const DataName& data) {
  Table table{
      data_title(data) + ", Variable experts: AURSAC with frozen and with learning classifiers",
      {{"method"},
       {"classifier"},
       {"model alone", true},
       {"seen", true},
       {"ID", true},
       {"to 30 %", true},
       {"OOD", true},
       {"to 30 %", true},
       {"joint minus frozen, ID", true, "95 % interval, cohorts ahead"},
       {"joint minus frozen, OOD", true, "95 % interval, cohorts ahead"}},
      {}};
  for (const Pairing& pairing : pairings(summary, data)) {
    const auto cell = [&](const GroupName& group, const MeasureName& measure) {
      return joint_cell(data, group, pairing.method, pairing.setting, measure);
    };
    const auto mean = [&](const GroupName& group, const MeasureName& measure) {
      return mean_text(summary.mean(cell(group, measure)));
    };
    const auto gained = [&](const GroupName& group) -> std::string {
      if (!pairing.is_joint()) return "";
      return difference_text(summary.difference(
          cell(group, kAursac), joint_cell(data, group, pairing.method, kFrozen, kAursac)));
    };
    table.rows.push_back({pairing.method.text(), pairing.setting.text(), mean(kId, kModelAlone),
                          mean(kSeen, kAursac), mean(kId, kAursac), mean(kId, kAursacTo30),
                          mean(kOod, kAursac), mean(kOod, kAursacTo30), gained(kId), gained(kOod)});
  }
  return table;
}

// What learning together does beside what a shorter training does.
Table brief_table(const Summary& summary, const DataName& data) {
  Table table{data_title(data) + ": joint minus frozen for as many epochs, AURSAC",
              {{"method"},
               {"seen", true, "95 % interval, cohorts ahead"},
               {"ID", true, "95 % interval, cohorts ahead"},
               {"OOD", true, "95 % interval, cohorts ahead"}},
              {}};
  for (const MethodName& method : methods_measured(summary, data)) {
    std::vector<std::string> row = {method.text()};
    bool any = false;
    for (const GroupName& group : {kSeen, kId, kOod}) {
      const auto difference =
          summary.difference(joint_cell(data, group, method, joint_with(method), kAursac),
                             joint_cell(data, group, method, kFrozenBriefly, kAursac));
      any = any || difference;
      row.push_back(difference_text(difference));
    }
    if (any) table.rows.push_back(std::move(row));
  }
  return table;
}

// The best and the second by their means.
struct Ahead {
  Pairing first, second;
  double value;                 // of the first
  PairedDifference difference;  // first minus second
};

std::optional<Ahead> ahead_of(const Summary& summary, const DataName& data, const GroupName& group,
                              bool joint) {
  std::vector<std::pair<double, Pairing>> found;
  for (const Pairing& pairing : pairings(summary, data)) {
    if (pairing.setting == kFrozenBriefly || pairing.is_joint() != joint) continue;
    const auto mean =
        summary.mean(joint_cell(data, group, pairing.method, pairing.setting, kAursac));
    if (mean) found.emplace_back(mean->value, pairing);
  }
  if (found.size() < 2) return {};
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  const auto& [value, first] = found[0];
  const Pairing& second = found[1].second;
  const auto difference =
      summary.difference(joint_cell(data, group, first.method, first.setting, kAursac),
                         joint_cell(data, group, second.method, second.setting, kAursac));
  if (!difference) return {};
  return Ahead{first, second, value, *difference};
}

// Who is first with either kind of classifier.
Table ahead_table(const Summary& summary, const DataName& data) {
  Table table{data_title(data) + ", Variable experts: who is first, AURSAC",
              {{"experts"},
               {"classifier"},
               {"first"},
               {"AURSAC", true},
               {"second"},
               {"first minus second", true, "95 % interval, cohorts ahead"},
               {"the same method as frozen"}},
              {}};
  for (const GroupName& group : {kSeen, kId, kOod}) {
    const auto frozen = ahead_of(summary, data, group, false);
    for (const bool joint : {false, true}) {
      const auto ahead = joint ? ahead_of(summary, data, group, true) : frozen;
      if (!ahead) continue;
      std::string same;
      if (joint && frozen) same = frozen->first.method == ahead->first.method ? "yes" : "no";
      table.rows.push_back({group_title(group), joint ? "joint" : "frozen", ahead->first.title(),
                            fixed(ahead->value, 3), ahead->second.title(),
                            difference_text(ahead->difference), same});
    }
  }
  return table;
}

}  // namespace

void write_joint(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) {
    document.paragraph(
        "It trains large networks for hours and needs images, so it runs only when it is named "
        "(--only joint) and not with --quick.",
        Document::Reach::kPageOnly);
    return;
  }
  const Summary& summary = view.summary;
  document.paragraph(
      "The paper's networks as published, on 28 x 28 pixels, pretrained once each. Frozen: methods "
      "read what the "
      "classifier says. Joint: classifier and method go on learning together for a few epochs, and "
      "plug-in reads the classifier that comes of it. Frozen, joint schedule: the method alone, "
      "trained as briefly and as fast as there. Experts, their answers and contexts are the same "
      "for all, drawn around the pretrained classifier's features. Intervals cover new cases and "
      "cohorts, not another pretraining.");
  for (const DataName& data :
       data_in_report_order(summary.distinct({.experiment = kJoint}, &Cell::data))) {
    document.table(ahead_table(summary, data));
    document.table(brief_table(summary, data));
    document.table(joint_table(summary, data));
  }
  write_rerun(document, view, kJoint, "joint/ham/ifd-peak/joint/cohort-0");
}

}  // namespace ifd::experiments
