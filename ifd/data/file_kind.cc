#include "ifd/data/file_kind.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_set>

#include "ifd/data/answer_cells.h"
#include "ifd/data/csv.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/npz.h"
#include "ifd/data/safetensors.h"
#include "ifd/error.h"

namespace ifd {
namespace {

constexpr std::size_t kMostValues = 100'000;

bool names_things(std::string_view column) {
  constexpr std::array<std::string_view, 6> kNaming = {"expert", "class", "answer",
                                                       "truth",  "group", "label"};
  return std::find(kNaming.begin(), kNaming.end(), lower_case(trimmed(column))) != kNaming.end();
}

// Beside a case: a column of scores or of answers.
bool is_expert_or_class(std::string_view column) {
  const std::string name = lower_case(trimmed(column));
  return name != "case" && name != "label" && name != "truth" && name != "group";
}

// A percent sign behind it makes a number no word.
std::optional<double> number_in(const CsvReader& csv, std::size_t column) {
  try {
    return csv.field(column).ends_with('%') ? 100 * csv.percentage(column) : csv.number(column);
  } catch (const Error&) {
    return {};
  }
}

bool has_class_numbers(const CsvReader& csv) {
  double sum = 0;
  std::size_t numbers = 0;
  for (std::size_t c = 0; c < csv.columns().size(); ++c) {
    if (!is_expert_or_class(csv.columns()[c]) || csv.field(c).empty()) continue;
    const auto number = number_in(csv, c);
    if (!number || *number != std::floor(*number)) return false;
    sum += *number;
    ++numbers;
  }
  return numbers > 0 && sum != 1 && sum != 100;
}

TableSummary summarize_table(const std::string& bytes, const std::string& name,
                             const ReadOptions& options) {
  CsvReader csv(bytes, name, options);
  TableSummary table;
  for (const std::string& column : csv.columns()) table.columns.push_back({column});
  csv.take_room(table.columns.size(),
                sizeof(ColumnSummary) + sizeof(std::unordered_set<std::string>));
  std::vector<std::unordered_set<std::string>> seen(table.columns.size());
  std::vector<bool> naming;
  for (const ColumnSummary& column : table.columns) naming.push_back(names_things(column.name));
  while (csv.next()) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      ColumnSummary& column = table.columns[c];
      const std::string_view text = csv.field(c);
      if (table.rows == 0) column.first_number = number_in(csv, c);
      column.empty += text.empty() ? 1 : 0;
      column.not_available += !text.empty() && is_blank(text) ? 1 : 0;
      if (!naming[c] || text.empty() || column.values.size() >= kMostValues) continue;
      if (seen[c].emplace(text).second) column.values.emplace_back(text);
    }
    constexpr std::size_t kRowsTried = 20;
    if (table.rows < kRowsTried && has_class_numbers(csv)) table.has_class_numbers = true;
    ++table.rows;
  }
  return table;
}

// A column of that name, or of that name with a unit behind it: "cost [EUR]".
bool has_amount(const TableSummary& table, std::string_view word) {
  return std::any_of(table.columns.begin(), table.columns.end(), [&](const ColumnSummary& column) {
    const std::string name = lower_case(trimmed(column.name));
    if (!name.starts_with(word)) return false;
    const std::string_view behind = trimmed(std::string_view(name).substr(word.size()));
    return behind.empty() || behind.starts_with('[');
  });
}

FileKind kind_of_table(const TableSummary& table) {
  const auto has = [&](std::string_view column) { return table.find(column) != nullptr; };
  if (has("expert") && has("case") && has("answer")) return FileKind::kAnswers;
  if (has("expert") && has("class") && (has("mean") || has("accuracy"))) return FileKind::kPrior;
  if (has("expert") && has("capacity")) return FileKind::kCapacities;
  if (has("truth") && has("label") && has_amount(table, "cost")) return FileKind::kCosts;
  if (has("expert") && has_amount(table, "fee")) return FileKind::kFees;
  if (has("participant_id") && has("image_name")) return FileKind::kImagenet16hAnswers;
  if (has("model_name") && has("image_name")) return FileKind::kImagenet16hPredictions;
  if (!has("case")) return FileKind::kOther;
  if (has("decision") && has("expert") && has("margin")) return FileKind::kRoutes;
  if (has("group") && table.columns.size() == 2) return FileKind::kGroups;
  // What is beside the case: numbers are scores of classes, names are answers of experts, and so
  // are whole numbers that sum to neither 1 nor 100.
  std::size_t scores = 0;
  std::size_t others = 0;
  for (const ColumnSummary& column : table.columns) {
    if (!is_expert_or_class(column.name)) continue;
    ++others;
    scores += column.first_number ? 1 : 0;
  }
  if (table.has_class_numbers) return FileKind::kWideAnswers;
  if (has("truth") && others > 0) return FileKind::kWideAnswers;
  return 2 * scores >= others ? FileKind::kPredictions : FileKind::kWideAnswers;
}

FileSummary summarize_archive(const std::string& bytes, const std::string& name,
                              const ReadLimits& limits) {
  const NpzFile npz = NpzFile::from_bytes(bytes, name, limits);
  FileSummary summary;
  for (const std::string& array : npz.names()) {
    const NpyHeader header = npz.header(array);
    summary.arrays.push_back(
        fmt::format("{} {} {}", array, fmt::join(header.shape, " x "), type_name(header)));
  }
  const auto has = [&](std::string_view array) { return npz.contains(array); };
  if (has("probabilities") || has("logits")) {
    summary.kind = FileKind::kPredictions;
  } else if (has("margins") && has("experts")) {
    summary.kind = FileKind::kMargins;
  } else if (has("accuracies") && has("experts")) {
    summary.kind = FileKind::kAccuracies;
  } else if (has("train_labels") || has("val_labels") || has("test_labels")) {
    summary.kind = FileKind::kMedmnist;
  }
  return summary;
}

// The length of a header in JSON, which then begins.
}  // namespace

std::string_view word_for(FileKind kind) {
  switch (kind) {
    case FileKind::kPredictions:
      return "predictions";
    case FileKind::kAnswers:
      return "answers of experts";
    case FileKind::kWideAnswers:
      return "answers of experts, a column each";
    case FileKind::kPrior:
      return "prior";
    case FileKind::kCapacities:
      return "capacities";
    case FileKind::kCosts:
      return "costs of mistakes";
    case FileKind::kFees:
      return "fees of experts";
    case FileKind::kGroups:
      return "groups of cases";
    case FileKind::kRoutes:
      return "routes made by 'ifd route'";
    case FileKind::kMargins:
      return "margins of another method";
    case FileKind::kAccuracies:
      return "true accuracies";
    case FileKind::kMedmnist:
      return "images in MedMNIST layout";
    case FileKind::kImagenet16hAnswers:
      return "ImageNet-16H annotations";
    case FileKind::kImagenet16hPredictions:
      return "ImageNet-16H predictions";
    case FileKind::kPolicy:
      return "policy file";
    case FileKind::kRoster:
      return "roster file";
    case FileKind::kWatch:
      return "watch file";
    case FileKind::kSafetensors:
      return "safetensors";
    case FileKind::kOther:
      return "not known";
  }
  return "not known";
}

const ColumnSummary* TableSummary::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(), [&](const ColumnSummary& column) {
    return lower_case(trimmed(column.name)) == name;
  });
  return found == columns.end() ? nullptr : &*found;
}

FileSummary summarize_file(const std::string& bytes, const std::string& name,
                           const ReadOptions& options) {
  const std::string_view view = bytes;
  FileSummary summary;
  if (view.starts_with("IFDPOLI1")) {
    summary.kind = FileKind::kPolicy;
  } else if (view.starts_with("IFDROST1")) {
    summary.kind = FileKind::kRoster;
  } else if (view.starts_with("IFDWATC1")) {
    summary.kind = FileKind::kWatch;
  } else if (is_zip(view)) {
    return summarize_archive(bytes, name, options.limits);
  } else if (view.starts_with("\x93NUMPY")) {
    summary.kind = FileKind::kPredictions;  // or refused as such
  } else if (is_safetensors(view)) {
    summary.kind = FileKind::kSafetensors;
  } else {
    summary.table = summarize_table(bytes, name, options);
    summary.kind = kind_of_table(*summary.table);
  }
  return summary;
}

}  // namespace ifd
