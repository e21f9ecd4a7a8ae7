#include "experiments/report/result_csv.h"

#include <fmt/format.h>

#include <cmath>

#include "ifd/data/csv.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

int cohort_at(const CsvReader& csv, std::size_t column) {
  const double number = csv.number(column);
  if (!(number >= 0 && number <= 1e9 && number == std::floor(number))) {
    throw bad_input(fmt::format("{}: cohort '{}'; expected a whole number from 0 on", csv.place(),
                                csv.field(column)));
  }
  return static_cast<int>(number);
}

}  // namespace

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

std::vector<ResultRow> rows_from_csv(std::string bytes, const std::string& name) {
  CsvReader csv(std::move(bytes), name);
  const ResultRow any;
  std::vector<std::size_t> labels;
  each_label(
      any, [&](const char* column, const auto&) { labels.push_back(csv.required_column(column)); });
  const std::size_t x = csv.required_column("x");
  const std::size_t cohort = csv.required_column("cohort");
  const std::size_t value = csv.required_column("value");
  std::vector<ResultRow> rows;
  while (csv.next()) {
    ResultRow row;
    auto column = labels.begin();
    each_label(row, [&]<class OfColumn>(const char*, Label<OfColumn>& label) {
      label = Label<OfColumn>(std::string(csv.field(*column++)));
    });
    row.x = csv.number(x);
    row.value = csv.number(value);
    row.cohort = cohort_at(csv, cohort);
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace ifd::experiments
