#include "experiments/report/result_csv.h"

#include <fmt/format.h>

#include "ifd/data/csv.h"

namespace ifd::experiments {

std::string to_csv(const std::vector<ResultRow>& rows) {
  std::string out;
  const ResultRow any;
  each_label(any, [&](const char* column, const auto&) { out += fmt::format("{},", column); });
  out += "x,cohort,value\n";
  for (const ResultRow& row : rows) {
    each_label(row, [&](const char*, const auto& label) { out += csv_field(label.text()) + ","; });
    out += fmt::format("{},{},{}\n", row.x, row.cohort, row.value);
  }
  return out;
}

}  // namespace ifd::experiments
