#include "experiments/report/cross_fit_section.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

Cell cross_fit_cell(const DataName& data, const GroupName& group, const MethodName& method,
                    const Setting& setting, const MeasureName& measure) {
  return {.experiment = kCrossFit,
          .data = data,
          .experts = kVariable,
          .group = group,
          .method = method,
          .setting = setting,
          .scale = kProbability,
          .measure = measure};
}

// A method, learnt either way: both means, their difference, and each beside plug-in.
std::vector<std::string> both_ways_row(const Summary& summary, const DataName& data,
                                       const GroupName& group, const MethodName& method,
                                       const MeasureName& measure) {
  const Cell in_sample = cross_fit_cell(data, group, method, kInSample, measure);
  const Cell out_of_fold = cross_fit_cell(data, group, method, kOutOfFold, measure);
  const Cell plug_in = cross_fit_cell(data, group, kPlugIn, {}, measure);
  return {method.text(),
          group_title(group),
          mean_text(summary.mean(in_sample)),
          mean_text(summary.mean(out_of_fold)),
          difference_text(summary.difference(out_of_fold, in_sample)),
          difference_text(summary.difference(in_sample, plug_in)),
          difference_text(summary.difference(out_of_fold, plug_in))};
}

Table cross_fit_table(const Summary& summary, const DataName& data, const MeasureName& measure,
                      const std::string& words) {
  Table table{
      fmt::format("{}, Variable experts: {} by what is learnt from", data_title(data), words),
      {{"method"},
       {"group"},
       {"in-sample", true, "", Column::Best::kHighest},
       {"out-of-fold", true, "", Column::Best::kHighest},
       {"out-of-fold minus in-sample", true, "95 % interval, cohorts ahead"},
       {"in-sample minus plug-in", true, "95 % interval, cohorts ahead"},
       {"out-of-fold minus plug-in", true, "95 % interval, cohorts ahead"}},
      {}};
  const CellFilter both{
      .experiment = kCrossFit, .data = data, .setting = kOutOfFold, .measure = measure};
  for (const GroupName& group : {kId, kOod}) {
    for (const MethodName& method : in_report_order(summary.distinct(both, &Cell::method))) {
      table.rows.push_back(both_ways_row(summary, data, group, method, measure));
    }
    const auto plug_in = summary.mean(cross_fit_cell(data, group, kPlugIn, {}, measure));
    table.rows.push_back(
        {kPlugIn.text(), group_title(group), mean_text(plug_in), mean_text(plug_in), "", "", ""});
  }
  return table;
}

// "right on 0.990 of them and sure of 0.985 on average".
std::string sureness(const Summary& summary, const DataName& data, const Setting& setting) {
  const auto mean = [&](const MeasureName& measure) {
    const auto found = summary.mean(cross_fit_cell(data, {}, kModel, setting, measure));
    return found ? fixed(found->value, 3) : "–";
  };
  return fmt::format("right on {} and {} sure (log loss {})", mean(kAccuracy),
                     mean(kMeanConfidence), mean(kLogLoss));
}

// Trained methods with the difference between the two ways, on experts of other specialties.
std::string gains_text(const Summary& summary, const DataName& data) {
  std::string text;
  for (const MethodName& method : {kIfdPeak, kIfdExpected, kIfdResidual, kPlugInTemperature}) {
    const auto cell = [&](const Setting& setting) {
      return cross_fit_cell(data, kOod, method, setting, kAursac);
    };
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", method,
                        difference_text(summary.difference(cell(kOutOfFold), cell(kInSample))));
  }
  return text;
}

// Does what is trained beat plug-in once it learns out of fold?
std::string told_verdict(const Summary& summary, const DataName& data) {
  struct Best {
    std::string where;
    PairedDifference difference;
  };
  std::optional<Best> best;
  std::size_t places = 0, ahead = 0, shown = 0;
  for (const GroupName& group : {kId, kOod}) {
    for (const MethodName& method : {kIfdPeak, kIfdExpected, kIfdResidual}) {
      const auto difference =
          summary.difference(cross_fit_cell(data, group, method, kOutOfFold, kAursac),
                             cross_fit_cell(data, group, kPlugIn, {}, kAursac));
      if (!difference) continue;
      ++places;
      ahead += difference->mean.value > 0 ? 1 : 0;
      shown += difference->mean.interval && difference->mean.interval->low > 0 ? 1 : 0;
      if (!best || difference->mean.value > best->difference.mean.value) {
        best = Best{fmt::format("{}, {}", method, group_title(group)), *difference};
      }
    }
  }
  if (!best) return "";
  return fmt::format(
      "Does a trained policy beat plug-in out of fold? By its mean in {} of {} places, with an "
      "interval above 0 in {}; by most {} {}.",
      ahead, places, shown, best->where, difference_text(best->difference));
}

}  // namespace

void write_cross_fit(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const Summary& summary = view.summary;
  for (const DataName& data :
       data_in_report_order(summary.distinct({.experiment = kCrossFit}, &Cell::data))) {
    document.paragraph(fmt::format(
        "{}: the classifier is {} on its own training cases, {} on the same cases out of fold, and "
        "{} on the test cases. AURSAC on Variable experts, OOD, of policies that learn from "
        "out-of-fold predictions of the training cases minus those that learn in-sample: {}. "
        "Validation and test are the one classifier's either way. Features of different folds are "
        "not comparable, so L2D-Pop and Multi-Expert, which read features, are left out.{}",
        data_title(data), sureness(summary, data, kInSample), sureness(summary, data, kOutOfFold),
        sureness(summary, data, {}), gains_text(summary, data),
        data.text() == "ham" ? " The file has no lesion ids: folds share lesions, so these "
                               "out-of-fold predictions are a little too good."
                             : ""));
    if (const std::string told = told_verdict(summary, data); !told.empty()) {
      document.paragraph({strong(told)});
    }
    document.table(cross_fit_table(summary, data, kAursac, "AURSAC"));
    document.table(cross_fit_table(summary, data, kAursacTo10, "AURSAC to 10 %"),
                   Document::Reach::kPageOnly);
    document.table(cross_fit_table(summary, data, kAursacTo30, "AURSAC to 30 %"),
                   Document::Reach::kPageOnly);
    document.table(cross_fit_table(summary, data, kAurdac, "AURDAC"), Document::Reach::kPageOnly);
  }
  write_rerun(document, view, kCrossFit, "cross-fit/blood/variable/ifd-peak/cohort-0");
}

}  // namespace ifd::experiments
