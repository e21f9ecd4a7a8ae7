// What is gained where experts are dear: areas over small budgets beside the one over all, and the
// accuracy at single small budgets.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"
#include "experiments/report/document.h"

namespace ifd::experiments {

// A row of such tables: what it is about, and the cell of its area over all budgets.
struct BudgetRow {
  std::vector<std::string> names;
  Cell area;
};

struct BudgetRows {
  std::vector<std::string> headers;  // of the names: "method"
  std::vector<BudgetRow> rows;
};
BudgetRows rows_by_method(const std::vector<MethodName>& methods,
                          const std::function<Cell(const MethodName&)>& area_of);

// For each row that was measured the area over the budgets up to 10 %, up to 30 % and over all, and
// where the accuracy of the classifier alone was measured there, what each is above it.
Table small_budget_table(const Summary& summary, std::string caption, const BudgetRows& rows);
// The accuracy at 5, 10 and 20 %, and what it is above the classifier alone. No rows where it was
// not measured.
Table small_budget_points(const Summary& summary, std::string caption, const BudgetRows& rows);

// Both, on the page; captions begin with the title.
void write_small_budgets(Document& document, const Summary& summary, const std::string& title,
                         const BudgetRows& rows);

}  // namespace ifd::experiments
