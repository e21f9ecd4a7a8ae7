// What is gained where experts are dear: areas over small budgets beside the one over all.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"
#include "experiments/report/document.h"

namespace ifd::experiments {

// A row for each method that was measured: the area over the budgets up to 10 %, up to 30 % and
// over all, and what each is above the method's classifier alone. `area_of` gives the cell of a
// method's area over all budgets.
Table small_budget_table(const Summary& summary, std::string caption,
                         const std::vector<MethodName>& methods,
                         const std::function<Cell(const MethodName&)>& area_of);

}  // namespace ifd::experiments
