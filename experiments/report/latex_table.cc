#include "experiments/report/latex_table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"

namespace ifd::experiments {
namespace {

struct MethodColumn {
  const char* method;
  const char* title;
};
constexpr std::array<MethodColumn, 6> kMethods = {{{"ifd-peak", "IFD peak"},
                                                   {"ifd-residual", "IFD residual"},
                                                   {"plug-in", "Plug-in"},
                                                   {"pop-qc", "L2D-Pop (QC)"},
                                                   {"pop-qi", "L2D-Pop (QI)"},
                                                   {"multi-expert", "Multi-Exp."}}};

// ".812" for 0.812, "1.000" for 1.
std::string number(double value, int digits) {
  const std::string text = fmt::format("{:.{}f}", value, digits);
  return text.starts_with("0.") ? text.substr(1) : text;
}

std::string mean_and_deviation(double mean, const std::optional<double>& deviation, int digits) {
  if (!deviation) return number(mean, digits);
  return fmt::format("{}$\\pm${}", number(mean, digits), number(*deviation, digits));
}

// The row of a condition and, where there is one, the published row below it.
std::string rows_of(const Summary& summary, const Cell& condition, const std::string& start) {
  std::string ours = start, theirs = " & & \\emph{published}";
  bool measured = false, printed = false;
  for (const MethodColumn& column : kMethods) {
    for (const char* measure : {"aursac", "aurdac"}) {
      Cell cell = condition;
      cell.method = column.method;
      cell.measure = measure;
      const auto mean = summary.mean(cell);
      bool best = mean.has_value();
      for (const MethodColumn& other : kMethods) {
        cell.method = other.method;
        const auto beside = summary.mean(cell);
        if (mean && beside && std::lround(beside->value * 1000) > std::lround(mean->value * 1000)) {
          best = false;
        }
      }
      cell.method = column.method;
      const std::string text = mean ? mean_and_deviation(mean->value, mean->deviation, 3) : "--";
      ours += " & " + (best ? "\\textbf{" + text + "}" : text);
      measured = measured || mean;
      const auto value = published(cell);
      theirs += " & " + (value ? mean_and_deviation(value->mean, value->deviation, 2) : "--");
      printed = printed || value;
    }
  }
  if (!measured) return "";
  return ours + " \\\\\n" + (printed ? theirs + " \\\\\n" : "");
}

}  // namespace

std::string table1_latex(const Summary& summary) {
  std::string body;
  Cell cell;
  cell.scale = "probability";
  for (const std::string& data : table1_data(summary)) {
    std::string block;
    for (const std::string experts : {"stable", "variable"}) {
      for (const std::string group : {"id", "ood"}) {
        cell.experiment = "table1";
        cell.data = data;
        cell.experts = experts;
        cell.group = group;
        block +=
            rows_of(summary, cell,
                    fmt::format("{} & {} & {}", data_title(data),
                                experts == "stable" ? "Stable" : "Variable", group_title(group)));
      }
    }
    if (!block.empty()) body += "\\midrule\n" + block;
  }
  std::string block;
  for (const int noise : {95, 110, 125}) {
    for (const std::string group : {"id", "ood"}) {
      cell.experiment = cell.data = "imagenet16h";
      cell.experts = "2 people";
      cell.group = group;
      cell.setting = fmt::format("noise={}", noise);
      block += rows_of(summary, cell,
                       fmt::format("ImageNet-16H & Noise {} & {}", noise, group_title(group)));
    }
  }
  if (!block.empty()) body += "\\midrule\n" + block;
  if (body.empty()) return "";
  std::string head = "Data & Experts & Dist.", measures = " & &", rules;
  for (std::size_t i = 0; i < kMethods.size(); ++i) {
    head += fmt::format(" & \\multicolumn{{2}}{{c}}{{{}}}", kMethods[i].title);
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
