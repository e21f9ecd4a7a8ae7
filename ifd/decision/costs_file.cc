#include "ifd/decision/costs_file.h"

#include <fmt/format.h>

#include <unordered_set>

#include "ifd/data/csv.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

struct AmountColumn {
  std::size_t column;
  std::string unit;  // of "cost [EUR]"; empty for "cost"
};

AmountColumn amount_column(const CsvReader& csv, std::string_view word) {
  for (std::size_t c = 0; c < csv.columns().size(); ++c) {
    const std::string_view name = csv.columns()[c];
    if (!lower_case(name).starts_with(word)) continue;
    const std::string_view behind = trimmed(name.substr(word.size()));
    if (!behind.starts_with('[') || !behind.ends_with(']')) continue;
    const std::string_view unit = trimmed(behind.substr(1, behind.size() - 2));
    if (unit.empty() || unit.size() > kLongestUnit) {
      throw bad_input(fmt::format("{}:1: column '{}' names a unit of {} bytes; expected 1..{}",
                                  csv.name(), excerpt(name), unit.size(), kLongestUnit));
    }
    return {c, std::string(unit)};
  }
  return {csv.required_column(word), {}};
}

double amount(const CsvReader& csv, std::size_t column, std::string_view word) {
  const double value = csv.number(column);
  if (value >= 0 && value <= kLargestCost) return value;
  throw bad_input(fmt::format("{}: {} '{}'; expected a number in 0..{:g}", csv.place(), word,
                              excerpt(csv.field(column)), kLargestCost));
}

// A class, or as many as there are for every class.
std::size_t class_or_every(const CsvReader& csv, std::size_t column, const ClassNames& classes,
                           LabelKind labels) {
  const std::string_view text = csv.field(column);
  if (text == "*") return classes.size();
  if (const auto found = find_class(classes, text, labels)) return index(*found);
  throw bad_input(fmt::format("{}: '{}' is not a class; expected {} or *{}", csv.place(),
                              excerpt(text), classes.allowed(), spelling_hint(classes, text)));
}

// What the rows say, (K + 1) x (K + 1) with one place more for "every"; -1 where there is none.
class CostRows {
 public:
  explicit CostRows(std::size_t classes) : side_(classes + 1), rows_(side_ * side_, -1) {}

  double& at(std::size_t truth, std::size_t label) { return rows_[truth * side_ + label]; }
  // The row that says most of a pair; -1 where none does.
  double of(std::size_t truth, std::size_t label) const {
    const std::size_t every = side_ - 1;
    for (const std::size_t place : {truth * side_ + label, truth * side_ + every,
                                    every * side_ + label, every * side_ + every}) {
      if (rows_[place] >= 0) return rows_[place];
    }
    return -1;
  }

 private:
  std::size_t side_;
  std::vector<double> rows_;
};

std::vector<double> table_of(const CostRows& rows, const ClassNames& classes,
                             const std::string& name) {
  const std::size_t k = classes.size();
  std::vector<double> table(k * k, 0.0);
  for (std::size_t truth = 0; truth < k; ++truth) {
    for (std::size_t label = 0; label < k; ++label) {
      if (truth == label) continue;
      const double cost = rows.of(truth, label);
      if (cost < 0) {
        throw bad_input(fmt::format(
            "{}: no cost of '{}' taken for '{}'; expected one for every truth and every other "
            "label, or * for all that are not named",
            name, excerpt(classes.name(class_id(truth))), excerpt(classes.name(class_id(label)))));
      }
      table[truth * k + label] = cost;
    }
  }
  return table;
}

}  // namespace

CostTable costs_from_bytes(std::string bytes, const std::string& name, const ClassNames& classes,
                           LabelKind labels, const ReadOptions& options) {
  // Before a place is made for each pair.
  if (classes.size() > kMostClassesWithCosts) {
    throw bad_input(fmt::format("{}: costs of {} classes; expected at most {}", name,
                                classes.size(), kMostClassesWithCosts));
  }
  CsvReader csv(std::move(bytes), name, options);
  const std::size_t truth_column = csv.required_column("truth");
  const std::size_t label_column = csv.required_column("label");
  const AmountColumn cost_column = amount_column(csv, "cost");
  CostRows rows(classes.size());
  while (csv.next()) {
    const std::size_t truth = class_or_every(csv, truth_column, classes, labels);
    const std::size_t label = class_or_every(csv, label_column, classes, labels);
    const double cost = amount(csv, cost_column.column, "cost");
    if (truth == label && truth < classes.size() && cost != 0) {
      throw bad_input(fmt::format("{}: the right answer '{}' costs {}; expected 0", csv.place(),
                                  excerpt(csv.field(label_column)), cost));
    }
    double& place = rows.at(truth, label);
    if (place >= 0) {
      throw bad_input(fmt::format("{}: '{}' taken for '{}' is there twice; expected once",
                                  csv.place(), excerpt(csv.field(truth_column)),
                                  excerpt(csv.field(label_column))));
    }
    place = cost;
  }
  return {table_of(rows, classes, name), cost_column.unit};
}

CostTable read_costs(const std::filesystem::path& path, const ClassNames& classes, LabelKind labels,
                     const ReadOptions& options) {
  FileContents file = read_contents(path, options.limits);
  return costs_from_bytes(std::move(file.bytes), source_name(path), classes, labels,
                          ReadOptions(file.limits, options.sink));
}

FeeTable fees_from_bytes(std::string bytes, const std::string& name,
                         std::span<const std::string> experts, const ReadOptions& options) {
  CsvReader csv(std::move(bytes), name, options);
  const std::size_t expert_column = csv.required_column("expert");
  const AmountColumn fee_column = amount_column(csv, "fee");
  const std::unordered_set<std::string_view> known(experts.begin(), experts.end());
  FeeTable table{{}, fee_column.unit};
  while (csv.next()) {
    const std::string expert(csv.field(expert_column));
    if (expert != "*" && !known.contains(expert)) {
      throw bad_input(fmt::format("{}: {}", csv.place(), fee_for_nobody(expert, experts)));
    }
    if (!table.fees.emplace(expert, amount(csv, fee_column.column, "fee")).second) {
      throw bad_input(fmt::format("{}: expert '{}' is there twice; expected once", csv.place(),
                                  excerpt(expert)));
    }
  }
  return table;
}

FeeTable read_fees(const std::filesystem::path& path, std::span<const std::string> experts,
                   const ReadOptions& options) {
  FileContents file = read_contents(path, options.limits);
  return fees_from_bytes(std::move(file.bytes), source_name(path), experts,
                         ReadOptions(file.limits, options.sink));
}

Costs put_together(const ClassNames& classes, CostTable costs, FeeTable fees) {
  if (!costs.unit.empty() && !fees.unit.empty() && costs.unit != fees.unit) {
    throw Error(ErrorKind::kConflict,
                fmt::format("costs in '{}' and fees in '{}'; expected one unit",
                            excerpt(costs.unit), excerpt(fees.unit)));
  }
  return {classes, std::move(costs.costs), std::move(fees.fees),
          costs.unit.empty() ? std::move(fees.unit) : std::move(costs.unit)};
}

}  // namespace ifd
