#include "experiments/report/beyond_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/wording.h"
#include "experiments/report/chart_means.h"
#include "experiments/report/small_budgets.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

using Reach = Document::Reach;

// A topic on one data set.
struct Topic {
  const Summary& summary;
  DataName data;
  ExpertsName topic;

  std::string title() const { return data_title(data); }
  CellFilter filter() const { return {.experiment = kBeyond, .data = data, .experts = topic}; }
  Cell area(const GroupName& group, const MethodName& method, const Setting& setting,
            double x = 0) const {
    return {.experiment = kBeyond,
            .data = data,
            .experts = topic,
            .group = group,
            .method = method,
            .setting = setting,
            .scale = kProbability,
            .measure = kAursac,
            .x = x};
  }
};

// What a chart of a topic shows over x.
struct Line {
  GroupName group;
  Setting setting;
  std::string title;
  std::string x_label;
  Scale x_scale = Scale::kLinear;
};

LineChart topic_chart(const Topic& topic, const Line& line) {
  LineChart chart;
  chart.title = line.title;
  chart.x_label = line.x_label;
  chart.y_label = "AURSAC";
  chart.x_scale = line.x_scale;
  std::size_t cohorts = 0;
  for (const MethodName& method : {kIfdPeak, kIfdResidual, kPlugIn, kPopQi, kPopQc, kConfidence}) {
    Cell cell = topic.area(line.group, method, line.setting);
    Series series = series_along_x(topic.summary, cell, method.text());
    if (series.x.empty()) continue;
    cell.x = series.x.front();
    cohorts = std::max(cohorts, topic.summary.mean(cell)->count);
    add_series(chart, std::move(series));
  }
  chart.note = interval_note(cohorts);
  return chart;
}

// The labels that occur in a topic.
struct Axes {
  std::vector<MethodName> methods;
  std::vector<GroupName> groups;
  std::vector<Setting> settings;
  std::vector<double> xs;
};

Axes axes_of(const Topic& topic) {
  const CellFilter filter = topic.filter();
  return {in_report_order(topic.summary.distinct(filter, &Cell::method)),
          topic.summary.distinct(filter, &Cell::group),
          topic.summary.distinct(filter, &Cell::setting), topic.summary.distinct(filter, &Cell::x)};
}

// A column for each group.
Table table_by_group(const Topic& topic, const Axes& axes, std::string caption) {
  Table table{std::move(caption), {{"method"}}, {}};
  for (const GroupName& group : axes.groups) {
    table.columns.push_back({group.text(), true, "", Column::Best::kHighest});
  }
  for (const MethodName& method : axes.methods) {
    std::vector<std::string> row = {method.text()};
    for (const GroupName& group : axes.groups) {
      row.push_back(mean_text_of(
          method,
          topic.summary.mean(topic.area(group, method, axes.settings.front(), axes.xs.front()))));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// A column for each x, a row for each method, group and setting.
Table table_by_x(const Topic& topic, const Axes& axes, std::string caption) {
  Table table{std::move(caption), {{"method"}}, {}};
  if (axes.groups.size() > 1) table.columns.push_back({"experts"});
  if (axes.settings.size() > 1) table.columns.push_back({"setting"});
  for (const double x : axes.xs) table.columns.push_back({fmt::format("at {:g}", x), true});
  for (const GroupName& group : axes.groups) {
    for (const Setting& setting : axes.settings) {
      for (const MethodName& method : axes.methods) {
        std::vector<std::string> row = {method.text()};
        if (axes.groups.size() > 1) row.push_back(group_title(group));
        if (axes.settings.size() > 1) row.push_back(setting.text());
        bool any = false;
        for (const double x : axes.xs) {
          const auto mean = topic.summary.mean(topic.area(group, method, setting, x));
          any = any || mean;
          row.push_back(mean ? fixed(mean->value, 3) : "–");
        }
        if (any) table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

Table topic_table(const Topic& topic, std::string caption) {
  const Axes axes = axes_of(topic);
  return axes.xs.size() == 1 && axes.settings.size() == 1
             ? table_by_group(topic, axes, std::move(caption))
             : table_by_x(topic, axes, std::move(caption));
}

// Where and under what a topic was measured.
struct Spot {
  GroupName group;
  Setting setting;
  double x = 0;
};

// What happens in a topic: between two spots, or at one of them alone.
struct Happening {
  std::string words;
  std::optional<Spot> before;
  Spot after;
};

std::vector<Happening> happenings_of(const Topic& topic) {
  const Axes axes = axes_of(topic);
  const double last = axes.xs.back();
  if (topic.topic == kRemapping) {
    return {
        {fmt::format("all {:g} classes misnamed", last),
         Spot{kOod, kMisnamed, 0},
         {kOod, kMisnamed, last}},
        {fmt::format("all {:g} classes moved", last), Spot{kOod, kMoved, 0}, {kOod, kMoved, last}}};
  }
  if (topic.topic == kDrift) {
    return {{"all have drifted, contexts are old",
             Spot{kOod, kOldContexts, 0},
             {kOod, kOldContexts, 1}},
            {"then new contexts instead of old ones",
             Spot{kOod, kOldContexts, 1},
             {kOod, kNewContexts, 1}}};
  }
  if (topic.topic == kMiscalibration) {
    return {
        {fmt::format("sharpness {:g} instead of 1", last), Spot{kOod, kRaw, 1}, {kOod, kRaw, last}},
        {"then recalibrated instead of raw", Spot{kOod, kRaw, last}, {kOod, kRecalibrated, last}}};
  }
  if (topic.topic == kLuck) {
    return {{"all luck shared instead of none", Spot{kOod, {}, 0}, {kOod, {}, 1}}};
  }
  std::vector<Happening> kinds;
  for (const GroupName& group : axes.groups) kinds.push_back({group.text(), {}, {group, {}, 0}});
  return kinds;
}

// Everything that happens, on all data: what it changes, and how L2D-Pop stands then.
Table happenings_table(const Summary& summary, const std::vector<ExpertsName>& topics) {
  constexpr const char* kNote = "95 % interval, cohorts ahead";
  Table table{
      "AURSAC of OOD experts after a change minus before it; then the mean of both L2D-Pop "
      "minus ours",
      {{"data"}, {"what happens"}},
      {}};
  const MethodName methods[] = {kPlugIn, kIfdPeak, kPopQi, kPopQc};
  for (const MethodName& method : methods) table.columns.push_back({method.text(), true, kNote});
  table.columns.push_back({"L2D-Pop minus ifd-peak", true, kNote});
  table.columns.push_back({"L2D-Pop minus plug-in", true, kNote});
  for (const ExpertsName& name : topics) {
    const CellFilter measured{.experiment = kBeyond, .experts = name, .measure = kAursac};
    for (const DataName& data : data_in_report_order(summary.distinct(measured, &Cell::data))) {
      const Topic topic{summary, data, name};
      for (const auto& [words, before, after] : happenings_of(topic)) {
        const auto at = [&](const MethodName& method, const Spot& spot) {
          return topic.area(spot.group, method, spot.setting, spot.x);
        };
        std::vector<std::string> row = {data_title(data), words};
        for (const MethodName& method : methods) {
          row.push_back(
              before ? difference_text(summary.difference(at(method, after), at(method, *before)))
                     : "");
        }
        for (const MethodName& ours : {kIfdPeak, kPlugIn}) {
          row.push_back(difference_text(summary.mean_difference(
              {{at(kPopQi, after), at(ours, after)}, {at(kPopQc, after), at(ours, after)}})));
        }
        table.rows.push_back(std::move(row));
      }
    }
  }
  return table;
}

// Every method at every spot of a topic.
BudgetRows rows_of_topic(const Topic& topic) {
  BudgetRows rows{{"method", "experts", "setting", "at"}, {}};
  CellFilter areas = topic.filter();
  areas.scale = kProbability;
  areas.measure = kAursac;
  for (const MethodName& method : in_report_order(topic.summary.distinct(areas, &Cell::method))) {
    areas.method = method;
    for (const Cell& cell : topic.summary.cells(areas)) {
      rows.rows.push_back({{method.text(), group_title(cell.group), cell.setting.text(),
                            fmt::format("{:g}", cell.x)},
                           cell});
    }
  }
  return rows;
}

void write_remapping(Document& document, const Topic& topic) {
  const std::string name = topic.title();
  document.chart(
      fmt::format("beyond-{}-misnamed", topic.data),
      topic_chart(topic, {kOod, kMisnamed, name + ", OOD: contexts with misnamed classes",
                          "classes misnamed"}));
  document.chart(fmt::format("beyond-{}-moved", topic.data),
                 topic_chart(topic, {kOod, kMoved, name + ", OOD: competence that has moved",
                                     "classes moved"}));
  document.table(topic_table(topic, name + ": AURSAC by classes renamed"), Reach::kPageOnly);
}

BarChart archetype_chart(const Topic& topic, const GroupName& group) {
  BarChart chart;
  chart.title = fmt::format("{}: {}", topic.title(), group);
  chart.value_label = "AURSAC";
  chart.mark = BarChart::Mark::kDot;
  std::size_t cohorts = 0;
  CellFilter of_group = topic.filter();
  of_group.group = group;
  for (const MethodName& method :
       in_report_order(topic.summary.distinct(of_group, &Cell::method))) {
    const auto mean = topic.summary.mean(topic.area(group, method, {}));
    if (mean) cohorts = std::max(cohorts, mean->count);
    add_dot(chart, method.text(), mean,
            is_reference(method) ? Emphasis::kQuiet : Emphasis::kNormal);
  }
  chart.note = interval_note(cohorts);
  return chart;
}

void write_archetypes(Document& document, const Topic& topic) {
  for (const GroupName& group : topic.summary.distinct(topic.filter(), &Cell::group)) {
    std::string stem = fmt::format("beyond-{}-{}", topic.data, group);
    std::replace(stem.begin(), stem.end(), ' ', '-');
    document.chart(std::move(stem), archetype_chart(topic, group));
  }
  document.table(topic_table(topic, topic.title() + ": AURSAC by kind of expert"),
                 Reach::kPageOnly);
}

void write_drift(Document& document, const Topic& topic) {
  const std::string name = topic.title();
  document.chart(fmt::format("beyond-{}-drift", topic.data),
                 topic_chart(topic, {kOod, kOldContexts, name + ", OOD: experts who drift",
                                     "share of the cases after the move"}));
  document.table(topic_table(topic, name + ", OOD: AURSAC by share after the move"),
                 Reach::kPageOnly);
}

void write_miscalibration(Document& document, const Topic& topic) {
  const std::string name = topic.title();
  document.chart(fmt::format("beyond-{}-miscalibrated", topic.data),
                 topic_chart(topic, {kOod, kRaw, name + ", OOD: raw probabilities", "sharpness",
                                     Scale::kLogarithmic}));
  document.chart(
      fmt::format("beyond-{}-recalibrated", topic.data),
      topic_chart(topic, {kOod, kRecalibrated, name + ", OOD: recalibrated on the context",
                          "sharpness", Scale::kLogarithmic}));
  document.table(topic_table(topic, name + ", OOD: AURSAC by sharpness"), Reach::kPageOnly);
}

void write_luck(Document& document, const Topic& topic) {
  document.table(topic_table(topic, topic.title() + ": AURSAC by the share of luck"),
                 Reach::kPageOnly);
}

struct TopicText {
  ExpertsName topic;
  const char* title;
  const char* words;
  void (*write)(Document&, const Topic&);
};

void write_topics(Document& document, const Summary& summary) {
  const TopicText topics[] = {
      {kRemapping, "Partial and incoherent renaming. ",
       "Misnamed: the contexts come from a source that names some classes otherwise and nobody "
       "notices. Moved: the experts' competence itself has moved, in contexts and answers.",
       write_remapping},
      {kArchetypes, "Other kinds of experts. ",
       "Policies trained on Variable specialists meet generalists, experts with two strengths, "
       "experts who are confidently wrong on a class, and experts who each have luck of their own "
       "on a case.",
       write_archetypes},
      {kDrift, "Drift. ",
       "A share of the cases meets experts whose specialty has moved to the next class since their "
       "contexts were taken, until new contexts are taken.",
       write_drift},
      {kMiscalibration, "A classifier that is too sure or too shy. ",
       "Its probabilities are sharpened (above 1) or flattened (below 1), and used raw or after "
       "recalibration on the context.",
       write_miscalibration},
      {kLuck, "How much luck experts share. ",
       "At 0 an expert's errors have nothing to do with anybody else's on the same case, at 1 "
       "whoever is more accurate is right wherever the other is, as in the paper; people lie "
       "between. Policies were trained in between as well, where the protocol is that of a "
       "population.",
       write_luck}};
  std::vector<std::vector<Words>> told;
  std::vector<ExpertsName> measured;
  for (const TopicText& text : topics) {
    if (!summary.has({.experiment = kBeyond, .experts = text.topic})) continue;
    told.push_back({strong(text.title), plain(text.words)});
    measured.push_back(text.topic);
  }
  document.list(std::move(told));
  document.table(happenings_table(summary, measured));
  for (const TopicText& text : topics) {
    const CellFilter here{.experiment = kBeyond, .experts = text.topic};
    for (const DataName& data : data_in_report_order(summary.distinct(here, &Cell::data))) {
      const Topic topic{summary, data, text.topic};
      text.write(document, topic);
      write_small_budgets(document, summary, fmt::format("{}, {}", data_title(data), text.topic),
                          rows_of_topic(topic));
    }
  }
}

// The experts of the training themselves: what a method that knows them by name gains.
void write_fixed_experts(Document& document, const Summary& summary) {
  Table table{"Experts who never change: Multi-Expert L2D minus others on the seen experts, AURSAC",
              {{"data"},
               {"experts"},
               {"minus"},
               {"multi-expert", true},
               {"other", true},
               {"difference", true, "95 % interval, cohorts ahead"}},
              {}};
  const auto all_data = data_in_report_order(summary.distinct(
      {.experiment = kTable1, .group = kSeen, .method = kMultiExpert}, &Cell::data));
  for (const DataName& data : all_data) {
    for (const ExpertsName& experts : {kVariable, kStable}) {
      const Cell multi = area(data, experts, kSeen, kMultiExpert);
      for (const MethodName& method : {kIfdPeak, kIfdResidual, kPlugIn, kPopQi, kPopQc}) {
        const Cell other = area(data, experts, kSeen, method);
        const auto difference = summary.difference(multi, other);
        if (!difference) continue;
        table.rows.push_back({data_title(data), experts.text(), method.text(),
                              fixed(summary.mean(multi)->value, 3),
                              fixed(summary.mean(other)->value, 3), difference_text(difference)});
      }
    }
  }
  document.table(std::move(table), Reach::kPageOnly);
}

}  // namespace

void write_beyond(Document& document, const SectionView& view) {
  const bool measured = begin_section(document, view);
  write_topics(document, view.summary);
  write_fixed_experts(document, view.summary);
  if (measured) write_rerun(document, view, kBeyond, "beyond/blood/drift/cohort-0");
}

}  // namespace ifd::experiments
