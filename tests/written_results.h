// What experiments/report/result_csv.h wrote, read again.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/result/job_result.h"
#include "ifd/data/csv.h"

namespace ifd::experiments {

// `name` is the file in messages.
inline std::vector<ResultRow> rows_from_csv(std::string bytes, const std::string& name) {
  CsvReader csv(std::move(bytes), name);
  std::vector<ResultRow> rows;
  while (csv.next()) {
    ResultRow& row = rows.emplace_back();
    each_label(row, [&]<class OfColumn>(const char* column, Label<OfColumn>& label) {
      label = Label<OfColumn>(std::string(csv.field(csv.required_column(column))));
    });
    row.x = csv.number(csv.required_column("x"));
    row.value = csv.number(csv.required_column("value"));
    row.cohort = static_cast<int>(csv.number(csv.required_column("cohort")));
  }
  return rows;
}

}  // namespace ifd::experiments
