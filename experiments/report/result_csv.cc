#include "experiments/report/result_csv.h"

#include <fmt/format.h>

#include <cmath>

#include "ifd/data/csv.h"
#include "ifd/error.h"

namespace ifd::experiments {

std::vector<ResultRow> rows_from_csv(std::string bytes, const std::string& name) {
  CsvReader csv(std::move(bytes), name);
  constexpr const char* kTexts[] = {"experiment", "data",    "experts", "group",
                                    "method",     "setting", "scale",   "measure"};
  constexpr std::string ResultRow::*kColumns[] = {
      &ResultRow::experiment, &ResultRow::data,    &ResultRow::experts, &ResultRow::group,
      &ResultRow::method,     &ResultRow::setting, &ResultRow::scale,   &ResultRow::measure};
  std::size_t texts[std::size(kTexts)];
  for (std::size_t i = 0; i < std::size(kTexts); ++i) texts[i] = csv.required_column(kTexts[i]);
  const std::size_t x = csv.required_column("x");
  const std::size_t cohort = csv.required_column("cohort");
  const std::size_t value = csv.required_column("value");
  std::vector<ResultRow> rows;
  while (csv.next()) {
    ResultRow row;
    for (std::size_t i = 0; i < std::size(kTexts); ++i) {
      row.*kColumns[i] = std::string(csv.field(texts[i]));
    }
    row.x = csv.number(x);
    row.value = csv.number(value);
    const double number = csv.number(cohort);
    if (!(number >= 0 && number <= 1e9 && number == std::floor(number))) {
      throw bad_input(fmt::format("{}: cohort '{}'; expected a whole number from 0 on", csv.place(),
                                  csv.field(cohort)));
    }
    row.cohort = static_cast<int>(number);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace ifd::experiments
