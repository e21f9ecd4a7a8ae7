#include "experiments/report/latex_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/latex_text.h"

namespace ifd::experiments {
namespace {

struct MethodColumn {
  MethodName method;
  const char* title;
};
const std::array<MethodColumn, 6> kMethods = {{{kIfdPeak, "IFD peak"},
                                               {kIfdResidual, "IFD residual"},
                                               {kPlugIn, "Plug-in"},
                                               {kPopQc, "L2D-Pop (QC)"},
                                               {kPopQi, "L2D-Pop (QI)"},
                                               {kMultiExpert, "Multi-Exp."}}};

// ".812" for 0.812, "1.000" for 1.
std::string number(double value, int digits) {
  const std::string text = fmt::format("{:.{}f}", value, digits);
  return text.starts_with("0.") ? text.substr(1) : text;
}

std::string mean_and_deviation(double mean, const std::optional<double>& deviation, int digits) {
  if (!deviation) return number(mean, digits);
  return fmt::format("{}$\\pm${}", number(mean, digits), number(*deviation, digits));
}

// As a table with three digits would show it.
bool is_best(const Summary& summary, const Cell& cell, const Mean& mean) {
  return std::none_of(kMethods.begin(), kMethods.end(), [&](const MethodColumn& other) {
    Cell beside = cell;
    beside.method = other.method;
    const auto theirs = summary.mean(beside);
    return theirs && std::lround(theirs->value * 1000) > std::lround(mean.value * 1000);
  });
}

// The row of a condition and, where there is one, the published row below it.
std::string rows_of(const Summary& summary, const Cell& condition, const std::string& start) {
  std::string ours = start, theirs = " & & \\emph{published}";
  bool measured = false, printed = false;
  for (const MethodColumn& column : kMethods) {
    for (const MeasureName& measure : {kAursac, kAurdac}) {
      Cell cell = condition;
      cell.method = column.method;
      cell.measure = measure;
      const auto mean = summary.mean(cell);
      const std::string text = mean ? mean_and_deviation(mean->value, mean->deviation, 3) : "--";
      ours += " & " + (mean && is_best(summary, cell, *mean) ? "\\textbf{" + text + "}" : text);
      measured = measured || mean;
      const auto value = published(cell);
      theirs += " & " + (value ? mean_and_deviation(value->mean, value->deviation, 2) : "--");
      printed = printed || value;
    }
  }
  if (!measured) return "";
  return ours + " \\\\\n" + (printed ? theirs + " \\\\\n" : "");
}

// Rows under a rule of their own; nothing for no rows.
std::string block_of(const std::string& rows) { return rows.empty() ? "" : "\\midrule\n" + rows; }

std::string simulated_block(const Summary& summary, const DataName& data) {
  std::string rows;
  for (const ExpertsName& experts : {kStable, kVariable}) {
    for (const GroupName& group : {kId, kOod}) {
      rows +=
          rows_of(summary, area(data, experts, group, {}),
                  fmt::format("{} & {} & {}", latex_text(data_title(data)),
                              latex_text(experts_title(experts)), latex_text(group_title(group))));
    }
  }
  return block_of(rows);
}

std::string people_block(const Summary& summary) {
  std::string rows;
  for (const int noise : kReportedNoises) {
    for (const GroupName& group : {kId, kOod}) {
      rows += rows_of(
          summary, people_area(kTwoPeople, group, {}, noise),
          fmt::format("ImageNet-16H & Noise {} & {}", noise, latex_text(group_title(group))));
    }
  }
  return block_of(rows);
}

}  // namespace

std::string table1_latex(const Summary& summary) {
  std::string body;
  for (const DataName& data : table1_data(summary)) body += simulated_block(summary, data);
  body += people_block(summary);
  if (body.empty()) return "";
  std::string head = "Data & Experts & Dist.", measures = " & &", rules;
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    head += fmt::format(" & \\multicolumn{{2}}{{c}}{{{}}}", latex_text(kMethods[i].title));
    measures += " & SAC & DAC";
    rules += fmt::format("\\cmidrule(lr){{{}-{}}}", 4 + 2 * i, 5 + 2 * i);
  }
  return fmt::format(
      "% AURSAC and AURDAC, mean and standard deviation over cohorts. Needs booktabs.\n"
      "\\begin{{tabular}}{{lll*{{{}}}{{cc}}}}\n\\toprule\n{} \\\\\n{}\n{} \\\\\n{}\\bottomrule\n"
      "\\end{{tabular}}\n",
      kMethods.size(), head, rules, measures, body);
}

}  // namespace ifd::experiments
