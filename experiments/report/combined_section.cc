#include "experiments/report/combined_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/answer_gains.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "experiments/report/small_budgets.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = Document::Reach;

const Setting kCombinedSettings[] = {kTemperatureOfContext, kTemperatureOfOthers, kRaw};

std::string area_text(const Summary& summary, const Cell& cell) {
  const auto mean = summary.mean(cell);
  return mean ? fixed(mean->value, 3) : "–";
}

std::string gain_text(const std::optional<PairedDifference>& gain) {
  return gain ? signed_number(gain->mean.value) : "–";
}

BarChart gain_chart(const Summary& summary, const std::vector<AnswerPlace>& places) {
  BarChart chart;
  chart.title = "Combined minus final answers, AURSAC";
  chart.value_label = "AURSAC gained";
  chart.mark = BarChart::Mark::kDot;
  chart.reference = 0;
  chart.reference_label = "no difference";
  std::size_t cohorts = 0;
  for (const AnswerPlace& place : places) {
    const auto gain = gain_at(summary, place, kTemperatureOfContext, kAursac);
    if (!gain) continue;
    cohorts = std::max(cohorts, gain->mean.count);
    add_dot(chart, place.title(), gain->mean);
  }
  chart.note = interval_note(cohorts);
  return chart;
}

// The classifier calibrated on the context; the others' gains beside it.
Table gain_table(const Summary& summary, const std::vector<AnswerPlace>& places) {
  Table table{"Combined against final answers, AURSAC; classifier calibrated on the context",
              {{"where"},
               {"final", true},
               {"combined", true},
               {"difference", true, "95 % interval, cohorts ahead"},
               {"budgets to 10 %", true, "difference"},
               {"budgets to 30 %", true, "difference"},
               {"calibrated on other cases", true, "difference"},
               {"not calibrated", true, "difference"}},
              {}};
  for (const AnswerPlace& place : places) {
    const auto gain = [&](const Setting& setting, const MeasureName& measure) {
      return gain_at(summary, place, setting, measure);
    };
    table.rows.push_back(
        {place.title(), area_text(summary, place.area(kPlugIn, kTemperatureOfContext)),
         area_text(summary, place.area(kPlugInCombined, kTemperatureOfContext)),
         difference_text(gain(kTemperatureOfContext, kAursac)),
         gain_text(gain(kTemperatureOfContext, kAursacTo10)),
         gain_text(gain(kTemperatureOfContext, kAursacTo30)),
         gain_text(gain(kTemperatureOfOthers, kAursac)), gain_text(gain(kRaw, kAursac))});
  }
  return table;
}

// Noise levels between the lowest and the highest say what these say.
std::vector<std::string> between_ends(const std::vector<AnswerPlace>& places) {
  std::vector<std::string> titles;
  for (const AnswerPlace& place : places) {
    const bool ends =
        std::ranges::none_of(places,
                             [&](const AnswerPlace& other) {
                               return other.data == place.data && other.noise < place.noise;
                             }) ||
        std::ranges::none_of(places, [&](const AnswerPlace& other) {
          return other.data == place.data && other.noise > place.noise;
        });
    if (!ends) titles.push_back(place.title());
  }
  return titles;
}

// Every area, and what the value of information gains or loses as an order.
Table area_table(const Summary& summary, const std::vector<AnswerPlace>& places) {
  Table table{"Every way to answer and every calibration, AURSAC",
              {{"where"}, {"classifier"}, {"budgets"}},
              {}};
  for (const MethodName& method : {kPlugIn, kPlugInCombined, kValueCombined}) {
    table.columns.push_back({method.text(), true});
  }
  table.columns.push_back({"by value minus by margin", true, "95 % interval, cohorts ahead"});
  for (const AnswerPlace& place : places) {
    for (const Setting& setting : kCombinedSettings) {
      for (const auto& [measure, range] :
           {std::pair(kAursac, "all"), {kAursacTo10, "to 10 %"}, {kAursacTo30, "to 30 %"}}) {
        if (!summary.mean(place.area(kPlugIn, setting, measure))) continue;
        std::vector<std::string> row = {place.title(), setting.text(), range};
        for (const MethodName& method : {kPlugIn, kPlugInCombined, kValueCombined}) {
          row.push_back(area_text(summary, place.area(method, setting, measure)));
        }
        row.push_back(difference_text(
            gain_at(summary, place, setting, measure, kValueCombined, kPlugInCombined)));
        table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

// The largest loss of combining under a calibration, in words; nothing where it was not measured.
void write_worst(Document& document, const Summary& summary,
                 const std::vector<AnswerPlace>& places) {
  std::string text;
  for (const auto& [setting, words] :
       {std::pair(kTemperatureOfContext, "calibrated on the context"),
        {kTemperatureOfOthers, "calibrated on other cases"},
        {kRaw, "not calibrated"}}) {
    const AnswerPlace *worst = nullptr, *best = nullptr;
    double least = 0, most = 0;
    for (const AnswerPlace& place : places) {
      const auto gain = gain_at(summary, place, setting, kAursac);
      if (!gain) continue;
      if (worst == nullptr || gain->mean.value < least) {
        worst = &place;
        least = gain->mean.value;
      }
      if (best == nullptr || gain->mean.value > most) {
        best = &place;
        most = gain->mean.value;
      }
    }
    if (worst == nullptr) continue;
    text += fmt::format("{}With the classifier {}, combining gives from {} ({}) to {} ({}).",
                        text.empty() ? "" : " ", words, signed_number(least), worst->title(),
                        signed_number(most), best->title());
  }
  document.paragraph(text);
}

// What a draw of the contexts and the choice of the pair do to the gain on DOD-H.
void write_scorers_spread(Document& document, const Summary& summary,
                          const std::vector<AnswerPlace>& places) {
  const auto scorers = std::find_if(places.begin(), places.end(), [](const AnswerPlace& place) {
    return place.data == kDodhData;
  });
  if (scorers == places.end()) return;
  std::string text =
      "DOD-H: means over pairs of scorers and draws of 15 answers per class; intervals resample "
      "recordings with the people as they are, and cohorts are draws.";
  for (const auto& [setting, words] :
       {std::pair(kTemperatureOfContext, "context"), {kTemperatureOfOthers, "past epochs"}}) {
    const auto draws = summary.differences(scorers->area(kPlugInCombined, setting),
                                           scorers->area(kPlugIn, setting));
    std::vector<double> by_draw, by_pair;
    for (const auto& [draw, value] : draws) by_draw.push_back(value);
    CellFilter pairs{.experiment = kCombined,
                     .data = kDodhData,
                     .method = kPlugInCombined,
                     .setting = setting,
                     .measure = kAursac};
    for (const Cell& combined : summary.cells(pairs)) {
      if (combined.group == kEverybody) continue;
      Cell plain = combined;
      plain.method = kPlugIn;
      const auto gain = summary.difference(combined, plain);
      if (gain) by_pair.push_back(gain->mean.value);
    }
    const auto mean = mean_of(by_draw);
    if (!mean || by_pair.empty()) continue;
    const auto [least, most] = std::minmax_element(by_pair.begin(), by_pair.end());
    const auto [low, high] = std::minmax_element(by_draw.begin(), by_draw.end());
    text += fmt::format(
        " With the temperature of the {}: {} (standard deviation over draws {}; draws from {} to "
        "{}; pairs from {} to {}).",
        words, signed_number(mean->value, 4), fixed(mean->deviation.value_or(0), 4),
        signed_number(*low, 4), signed_number(*high, 4), signed_number(*least, 4),
        signed_number(*most, 4));
  }
  document.paragraph(text);
}

}  // namespace

void write_combined(Document& document, const SectionView& view) {
  if (!begin_section(document, view)) return;
  const auto places = answer_places(view.summary);
  document.paragraph(
      "Final: the expert's word is the label. Combined: the label is what the model's "
      "probabilities "
      "and the answer make most probable together, an expert's mistakes spread evenly over the "
      "other classes. Cases are ordered by the plug-in margin in both. The classifier is as it is, "
      "or calibrated by one temperature: on the context's cases, or on others (validation cases; "
      "all epochs of the past recordings). Simulated experts have contexts from cases that the "
      "classifier was trained on.");
  document.chart("combined-gains", gain_chart(view.summary, places));
  document.table(gain_table(view.summary, places), Reach::kEverywhere, between_ends(places));
  write_worst(document, view.summary, places);
  write_scorers_spread(document, view.summary, places);
  for (const AnswerPlace& place : places) {
    if (place.data == kDodhData) continue;  // its table has intervals over recordings
    write_small_budgets(
        document, view.summary, place.title() + ", classifier calibrated on the context",
        rows_by_method({kPlugIn, kPlugInCombined, kValueCombined}, [&](const MethodName& method) {
          return place.area(method, kTemperatureOfContext);
        }));
  }
  document.table(area_table(view.summary, places), Reach::kPageOnly);
  write_rerun(document, view, kCombined, "combined/blood/variable/cohort-0");
}

}  // namespace ifd::experiments
