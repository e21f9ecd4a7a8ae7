#include "experiments/report/small_budgets.h"

#include <utility>

#include "experiments/claims/wording.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {

Table small_budget_table(const Summary& summary, std::string caption,
                         const std::vector<MethodName>& methods,
                         const std::function<Cell(const MethodName&)>& area_of) {
  Table table{std::move(caption),
              {{"method"},
               {"0-10 %", true, "", Column::Best::kHighest},
               {"gain over the model", true, "95 % interval, cohorts ahead"},
               {"0-30 %", true, "", Column::Best::kHighest},
               {"gain over the model", true, "95 % interval, cohorts ahead"},
               {"all", true, "", Column::Best::kHighest},
               {"gain over the model", true, "95 % interval, cohorts ahead"}},
              {}};
  for (const MethodName& method : methods) {
    std::vector<std::string> row = {method.text()};
    Cell model = area_of(method);
    model.measure = kModelAlone;
    bool measured = false;
    for (const MeasureName& measure : {kAursacTo10, kAursacTo30, kAursac}) {
      Cell cell = area_of(method);
      cell.measure = measure;
      const auto mean = summary.mean(cell);
      measured = measured || (mean && measure != kAursac);
      row.push_back(mean_text_of(method, mean));
      row.push_back(difference_text(summary.difference(cell, model)));
    }
    if (measured) table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace ifd::experiments
