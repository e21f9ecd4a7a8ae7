#include "experiments/report/small_budgets.h"

#include <algorithm>
#include <utility>

#include "experiments/claims/wording.h"
#include "experiments/result/labels.h"
#include "ifd/report/html_text.h"

namespace ifd::experiments {
namespace {

constexpr double kPoints[] = {.05, .1, .2};
constexpr const char* kGain = "gain over the model";

// A number in a row, and the classifier alone beside it.
struct BudgetNumber {
  std::string title;
  Cell (*cell_of)(Cell area);
};

Cell to_10(Cell area) {
  area.measure = kAursacTo10;
  return area;
}
Cell to_30(Cell area) {
  area.measure = kAursacTo30;
  return area;
}
Cell as_it_is(Cell area) { return area; }
template <std::size_t kAt>
Cell at_point(Cell area) {
  area.measure = kSystemAccuracy;
  area.x = kPoints[kAt];
  return area;
}

Cell model_beside(Cell area) {
  area.measure = kModelAlone;
  return area;
}

// Rows count as measured by the first number.
Table budget_table(const Summary& summary, std::string caption, const BudgetRows& rows,
                   const std::vector<BudgetNumber>& numbers) {
  const bool has_model = std::ranges::any_of(rows.rows, [&](const BudgetRow& row) {
    return summary.mean(model_beside(row.area)).has_value();
  });
  Table table{std::move(caption), {}, {}};
  for (const std::string& header : rows.headers) table.columns.push_back({header});
  for (const BudgetNumber& number : numbers) {
    table.columns.push_back({number.title, true, "", Column::Best::kHighest});
    if (has_model) table.columns.push_back({kGain, true, "95 % interval, cohorts ahead"});
  }
  for (const BudgetRow& row : rows.rows) {
    if (!summary.mean(numbers.front().cell_of(row.area))) continue;
    std::vector<std::string> texts = row.names;
    for (const BudgetNumber& number : numbers) {
      const Cell cell = number.cell_of(row.area);
      texts.push_back(mean_text_of(cell.method, summary.mean(cell)));
      if (!has_model) continue;
      texts.push_back(difference_text(summary.difference(cell, model_beside(row.area))));
    }
    table.rows.push_back(std::move(texts));
  }
  return table;
}

}  // namespace

BudgetRows rows_by_method(const std::vector<MethodName>& methods,
                          const std::function<Cell(const MethodName&)>& area_of) {
  BudgetRows rows{{"method"}, {}};
  for (const MethodName& method : methods) rows.rows.push_back({{method.text()}, area_of(method)});
  return rows;
}

Table small_budget_table(const Summary& summary, std::string caption, const BudgetRows& rows) {
  return budget_table(summary, std::move(caption), rows,
                      {{"0-10 %", to_10}, {"0-30 %", to_30}, {"all", as_it_is}});
}

Table small_budget_points(const Summary& summary, std::string caption, const BudgetRows& rows) {
  return budget_table(
      summary, std::move(caption), rows,
      {{"at 5 %", at_point<0>}, {"at 10 %", at_point<1>}, {"at 20 %", at_point<2>}});
}

void write_small_budgets(Document& document, const Summary& summary, const std::string& title,
                         const BudgetRows& rows) {
  document.table(
      small_budget_table(summary, title + ": AURSAC over small budgets and over all", rows),
      Document::Reach::kPageOnly);
  document.table(small_budget_points(summary, title + ": accuracy at small budgets", rows),
                 Document::Reach::kPageOnly);
}

}  // namespace ifd::experiments
