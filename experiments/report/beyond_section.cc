// The sections on renamed classes and on what the paper leaves open.
#include <fmt/format.h>

#include <algorithm>

#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/sections.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = StudyDocument::Reach;

// Of ascending values, by the nearest rank.
double quantile(const std::vector<double>& sorted, double p) {
  const auto at = static_cast<std::size_t>(p * static_cast<double>(sorted.size() - 1) + 0.5);
  return sorted[at];
}

std::string exact(double value) { return value == 0 ? "0" : fmt::format("{:.3g}", value); }

}  // namespace

void write_invariance(StudyDocument& document, const StudyView& view) {
  if (!begin_experiment(document, view, "invariance", "Renaming classes: the certificate")) return;
  const Summary& summary = view.summary;
  document.paragraph(
      "For every trained policy, classes are renamed at random in model and experts together "
      "(coherent) and in the experts alone (expert-only); margins of all experts and the routes at "
      "a budget of 20 % are compared with those before. A coherent renaming changes nothing about "
      "the task, so a policy blind to names must not move at all. L2D-Pop meets names in the "
      "answers of experts alone, its view of a case being features without names, so that both "
      "renamings are one to it.");
  CellFilter filter;
  filter.experiment = "invariance";
  for (const std::string& data : data_in_report_order(summary.distinct(filter, &Cell::data))) {
    filter.data = data;
    BarChart chart;
    chart.title = fmt::format("{}: share of cases that go elsewhere after a coherent renaming",
                              data_title(data));
    chart.value_label = "share rerouted: median, and 5 % to 95 % of renamings and cohorts";
    chart.mark = BarChart::Mark::kDot;
    chart.unit = Unit::kPercent;
    Table table{fmt::format("{}: what renaming does", data_title(data)),
                {{"method"},
                 {"renaming"},
                 {"largest change of a margin", true},
                 {"mean change", true},
                 {"rerouted, median", true},
                 {"5 % to 95 %"},
                 {"renamings", true}},
                {}};
    for (const std::string& method : in_report_order(summary.distinct(filter, &Cell::method))) {
      for (const char* kind : {"coherent", "expert-only"}) {
        const auto values = [&](const char* measure) {
          CellFilter here = filter;
          here.method = method;
          here.setting = kind;
          here.measure = measure;
          std::vector<double> all = summary.pooled(here);
          std::sort(all.begin(), all.end());
          return all;
        };
        const auto largest = values("largest_margin_change");
        const auto mean = values("mean_margin_change");
        const auto rerouted = values("share_rerouted");
        if (largest.empty() || mean.empty() || rerouted.empty()) continue;
        const double low = quantile(rerouted, .05), high = quantile(rerouted, .95);
        table.rows.push_back({method, kind, exact(largest.back()), exact(mean_of(mean)->value),
                              percent(quantile(rerouted, .5), 1),
                              fmt::format("{} to {}", percent(low, 1), percent(high, 1)),
                              std::to_string(rerouted.size())});
        if (std::string(kind) == "coherent") {
          chart.bars.push_back({method, quantile(rerouted, .5), Range{low, high}});
        }
      }
    }
    document.chart("invariance-" + data, std::move(chart));
    document.table(std::move(table));
  }
  write_rerun(document, view, "table1", "table1/blood/variable/pop-qi/cohort-0");
}

namespace {

constexpr const char* kLines[] = {"ifd-peak", "ifd-residual", "plug-in",
                                  "pop-qi",   "pop-qc",       "confidence"};

LineChart topic_chart(const Summary& summary, const std::string& data, const std::string& topic,
                      const std::string& group, const std::string& setting, std::string title,
                      std::string x_label, Scale scale) {
  LineChart chart;
  chart.title = std::move(title);
  chart.x_label = std::move(x_label);
  chart.y_label = "AURSAC";
  chart.x_scale = scale;
  std::size_t cohorts = 0;
  for (const char* method : kLines) {
    const Cell cell{"beyond", data, topic, group, method, setting, "probability", "aursac", 0};
    Series series = series_along_x(summary, cell, method);
    if (series.x.empty()) continue;
    Cell first = cell;
    first.x = series.x.front();
    cohorts = std::max(cohorts, summary.mean(first)->count);
    add_series(chart, std::move(series));
  }
  chart.note = interval_note(cohorts);
  return chart;
}

// A column for each x, a row for each method, group and setting; where there is but one x and one
// setting, a column for each group.
Table topic_table(const Summary& summary, const std::string& data, const std::string& topic,
                  std::string caption) {
  CellFilter filter;
  filter.experiment = "beyond";
  filter.data = data;
  filter.experts = topic;
  const auto methods = in_report_order(summary.distinct(filter, &Cell::method));
  const auto groups = summary.distinct(filter, &Cell::group);
  const auto settings = summary.distinct(filter, &Cell::setting);
  const auto xs = summary.distinct(filter, &Cell::x);
  const auto area = [&](const std::string& method, const std::string& group,
                        const std::string& setting, double x) {
    return summary.mean(
        {"beyond", data, topic, group, method, setting, "probability", "aursac", x});
  };
  Table table{std::move(caption), {{"method"}}, {}};
  if (xs.size() == 1 && settings.size() == 1) {
    for (const std::string& group : groups) {
      table.columns.push_back({group, true, "", Column::Best::kHighest});
    }
    for (const std::string& method : methods) {
      std::vector<std::string> row = {method};
      for (const std::string& group : groups) {
        row.push_back(mean_text_of(method, area(method, group, settings.front(), xs.front())));
      }
      table.rows.push_back(std::move(row));
    }
    return table;
  }
  if (groups.size() > 1) table.columns.push_back({"experts"});
  if (settings.size() > 1) table.columns.push_back({"setting"});
  for (const double x : xs) table.columns.push_back({fmt::format("at {:g}", x), true});
  for (const std::string& group : groups) {
    for (const std::string& setting : settings) {
      for (const std::string& method : methods) {
        std::vector<std::string> row = {method};
        if (groups.size() > 1) row.push_back(group_title(group));
        if (settings.size() > 1) row.push_back(setting);
        bool any = false;
        for (const double x : xs) {
          const auto mean = area(method, group, setting, x);
          any = any || mean;
          row.push_back(mean ? fixed(mean->value, 3) : "–");
        }
        if (any) table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

void write_topics(StudyDocument& document, const Summary& summary, const std::string& data) {
  const std::string name = data_title(data);
  const auto has = [&](const char* topic) {
    CellFilter filter;
    filter.experiment = "beyond";
    filter.data = data;
    filter.experts = topic;
    return summary.has(filter);
  };
  if (has("remapping")) {
    document.paragraph(
        {strong(name + ", partial and incoherent renaming. "),
         plain("Misnamed: the contexts come from a source that names some classes otherwise and "
               "nobody notices. Moved: the experts' competence itself has moved, in contexts and "
               "answers.")});
    document.chart("beyond-" + data + "-misnamed",
                   topic_chart(summary, data, "remapping", "ood", "misnamed",
                               name + ", OOD: contexts with misnamed classes", "classes misnamed",
                               Scale::kLinear));
    document.chart(
        "beyond-" + data + "-moved",
        topic_chart(summary, data, "remapping", "ood", "moved",
                    name + ", OOD: competence that has moved", "classes moved", Scale::kLinear));
    document.table(topic_table(summary, data, "remapping", name + ": AURSAC by classes renamed"),
                   Reach::kFolded);
  }
  if (has("archetypes")) {
    document.paragraph({strong(name + ", other kinds of experts. "),
                        plain("Policies trained on Variable specialists meet generalists, experts "
                              "with two strengths, experts who are confidently wrong on a class, "
                              "and experts who each have luck of their own on a case.")});
    CellFilter filter;
    filter.experiment = "beyond";
    filter.data = data;
    filter.experts = "archetypes";
    for (const std::string& group : summary.distinct(filter, &Cell::group)) {
      filter.group = group;
      BarChart chart;
      chart.title = fmt::format("{}: {}", name, group);
      chart.value_label = "AURSAC";
      chart.mark = BarChart::Mark::kDot;
      std::size_t cohorts = 0;
      for (const std::string& method : in_report_order(summary.distinct(filter, &Cell::method))) {
        const auto mean = summary.mean(
            {"beyond", data, "archetypes", group, method, "", "probability", "aursac", 0});
        if (mean) cohorts = std::max(cohorts, mean->count);
        add_dot(chart, method, mean, is_reference(method) ? Emphasis::kQuiet : Emphasis::kNormal);
      }
      chart.note = interval_note(cohorts);
      std::string stem = "beyond-" + data + "-" + group;
      std::replace(stem.begin(), stem.end(), ' ', '-');
      document.chart(std::move(stem), std::move(chart));
    }
    document.table(topic_table(summary, data, "archetypes", name + ": AURSAC by kind of expert"));
  }
  if (has("drift")) {
    document.paragraph({strong(name + ", drift. "),
                        plain("A share of the cases meets experts whose specialty has moved to the "
                              "next class since their contexts were taken; the table also has what "
                              "new contexts give when all has moved.")});
    document.chart("beyond-" + data + "-drift",
                   topic_chart(summary, data, "drift", "ood", "old contexts",
                               name + ", OOD: experts who drift",
                               "share of the cases after the move", Scale::kLinear));
    document.table(
        topic_table(summary, data, "drift", name + ", OOD: AURSAC by share after the move"));
  }
  if (has("miscalibration")) {
    document.paragraph(
        {strong(name + ", a classifier that is too sure or too shy. "),
         plain("Its probabilities are sharpened (above 1) or flattened (below 1), and used raw or "
               "after recalibration on the context.")});
    document.chart(
        "beyond-" + data + "-miscalibrated",
        topic_chart(summary, data, "miscalibration", "ood", "raw",
                    name + ", OOD: raw probabilities", "sharpness", Scale::kLogarithmic));
    document.chart(
        "beyond-" + data + "-recalibrated",
        topic_chart(summary, data, "miscalibration", "ood", "calibrated on the context",
                    name + ", OOD: recalibrated on the context", "sharpness", Scale::kLogarithmic));
    document.table(
        topic_table(summary, data, "miscalibration", name + ", OOD: AURSAC by sharpness"));
  }
  if (has("roster size")) {
    document.paragraph(
        {strong(name + ", roster size. "),
         plain("One to 32 experts are on duty, with specialties in turn over all "
               "classes; a policy trained with four experts chooses among all of them. Experts of "
               "one specialty share the luck of a case and are right together, so past one for "
               "each class another can add nothing, and a policy should not lose by it either.")});
    document.chart("beyond-" + data + "-roster",
                   topic_chart(summary, data, "roster size", "all", "",
                               name + ": more and more experts on duty", "experts on duty",
                               Scale::kLogarithmic));
    document.table(topic_table(summary, data, "roster size", name + ": AURSAC by roster size"),
                   Reach::kFolded);
  }
}

// The experts of the training themselves: what a method that knows them by name gains.
void write_fixed_experts(StudyDocument& document, const Summary& summary) {
  Table table{"Experts who never change: Multi-Expert L2D minus others on the seen experts, AURSAC",
              {{"data"},
               {"experts"},
               {"minus"},
               {"multi-expert", true},
               {"other", true},
               {"difference", true, "95 % interval, cohorts ahead"}},
              {}};
  CellFilter filter;
  filter.experiment = "table1";
  filter.group = "seen";
  filter.method = "multi-expert";
  for (const std::string& data : data_in_report_order(summary.distinct(filter, &Cell::data))) {
    for (const char* experts : {"variable", "stable"}) {
      const Cell multi{"table1", data,          experts,  "seen", "multi-expert",
                       "",       "probability", "aursac", 0};
      for (const char* method : {"ifd-peak", "ifd-residual", "plug-in", "pop-qi", "pop-qc"}) {
        Cell other = multi;
        other.method = method;
        const auto difference = summary.difference(multi, other);
        if (!difference) continue;
        table.rows.push_back({data_title(data), experts, method,
                              fixed(summary.mean(multi)->value, 3),
                              fixed(summary.mean(other)->value, 3), difference_text(difference)});
      }
    }
  }
  document.table(std::move(table));
}

}  // namespace

void write_beyond(StudyDocument& document, const StudyView& view) {
  const bool measured = begin_experiment(document, view, "beyond", "Beyond the paper");
  CellFilter filter;
  filter.experiment = "beyond";
  for (const std::string& data : data_in_report_order(view.summary.distinct(filter, &Cell::data))) {
    write_topics(document, view.summary, data);
  }
  write_fixed_experts(document, view.summary);
  if (measured) write_rerun(document, view, "beyond", "beyond/blood/drift/cohort-0");
}

}  // namespace ifd::experiments
