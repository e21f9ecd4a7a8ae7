#include "ifd/data/predictions_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ifd/data/csv.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/foreign_format.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/npz.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

// The names, with the place in front of what is wrong with them.
ClassNames class_names_at(std::vector<std::string> names, const std::string& place) {
  try {
    return ClassNames(std::move(names));
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", place, error.what()));
  }
}

// The rows' scores as probabilities, turned over in blocks so that logits of a large file are
// never all there in double.
class ScoreRows {
 public:
  ScoreRows(const PredictionsFormat& format, std::size_t classes, const Predictions::Locate& locate)
      : format_(format), classes_(classes), locate_(locate) {}

  void reserve(std::size_t rows) { probabilities_.reserve(rows * classes_); }

  void add(const CsvReader& csv, std::size_t column) {
    if (format_.scores == ScoreKind::kLogits) {
      logits_.push_back(csv.number(column));
    } else if (format_.unit == ProbabilityUnit::kPercent) {
      probabilities_.push_back(static_cast<float>(csv.percentage(column)));
    } else {
      probabilities_.push_back(csv.float_number(column));
    }
  }
  void end_row() {
    if (logits_.size() >= kBlock * classes_) convert();
  }
  std::vector<float> finish() {
    convert();
    return std::move(probabilities_);
  }

 private:
  static constexpr std::size_t kBlock = 256;

  void convert() {
    if (logits_.empty()) return;
    const std::size_t first_row = probabilities_.size() / classes_;
    const auto block = Predictions::from_logits(
        logits_, classes_, [&](std::size_t row) { return locate_(first_row + row); });
    probabilities_.insert(probabilities_.end(), block.begin(), block.end());
    logits_.clear();
  }

  PredictionsFormat format_;
  std::size_t classes_;
  const Predictions::Locate& locate_;
  std::vector<float> probabilities_;
  std::vector<double> logits_;
};

// What a row takes in memory.
std::size_t bytes_of_row(std::size_t classes) {
  return sizeof(std::string) + sizeof(std::size_t) + sizeof(ClassId) + classes * sizeof(float);
}

// Numbers groups as they first appear.
class GroupNumbers {
 public:
  void add(CsvReader& csv, std::size_t column) {
    const std::string group(csv.field(column));
    if (group.empty()) {
      throw bad_input(fmt::format("{}: the group is empty; expected a name", csv.place()));
    }
    if (is_too_long(group)) throw name_too_long(group, csv.place());
    const auto next = static_cast<std::uint32_t>(number_of_.size());
    const auto [found, is_new] = number_of_.emplace(group, next);
    if (is_new) csv.take_room(sizeof(*found) + kNodeBytes + group.size());
    groups_.push_back(found->second);
  }
  std::vector<std::uint32_t> finish() { return std::move(groups_); }

 private:
  std::unordered_map<std::string, std::uint32_t> number_of_;
  std::vector<std::uint32_t> groups_;
};

struct CsvColumns {
  std::size_t cases;
  std::optional<std::size_t> labels;
  std::size_t groups;  // as many as there are columns: none
  std::vector<std::size_t> classes = {};
  std::vector<std::string> names = {};  // of the classes
};

CsvColumns columns_of(const CsvReader& csv, const std::string& group) {
  const std::size_t none = csv.columns().size();
  CsvColumns columns{csv.required_column("case"), csv.column("label"),
                     group.empty() ? none : csv.column(group).value_or(none)};
  if (columns.groups == columns.cases || columns.groups == columns.labels) columns.groups = none;
  for (std::size_t i = 0; i < csv.columns().size(); ++i) {
    if (i == columns.cases || i == columns.labels || i == columns.groups) continue;
    if (csv.columns()[i].empty()) {
      throw bad_input(
          fmt::format("{}: column {} has no name; expected 'case', 'label' or the name of a class",
                      csv.place(), i + 1));
    }
    columns.classes.push_back(i);
    columns.names.push_back(csv.columns()[i]);
  }
  return columns;
}

GroupedPredictions from_csv(std::string bytes, const std::string& name,
                            const PredictionsFormat& format, const ReadOptions& options) {
  GroupNumbers groups;
  std::vector<std::size_t> lines;  // of each row
  const Predictions::Locate locate = [&](std::size_t row) {
    return fmt::format("{}:{}", name, lines[row]);
  };
  // The bytes are gone before the checks, which need memory of their own.
  auto parts = [&] {
    CsvReader csv(std::move(bytes), name, options);
    CsvColumns columns = columns_of(csv, format.group_column);
    const bool has_groups = columns.groups < csv.columns().size();
    const std::vector<std::size_t>& class_columns = columns.classes;
    Predictions::Parts read{
        class_names_at(std::move(columns.names), csv.place()), {}, {}, {}, {}, 0};
    const std::size_t most_rows = csv.most_rows_left();
    csv.take_room(most_rows, bytes_of_row(class_columns.size()));
    ScoreRows rows(format, class_columns.size(), locate);
    rows.reserve(most_rows);
    read.cases.reserve(most_rows);
    lines.reserve(most_rows);
    std::size_t unlabelled = 0;
    while (csv.next()) {
      lines.push_back(csv.line());
      read.cases.emplace_back(csv.field(columns.cases));
      for (const std::size_t column : class_columns) rows.add(csv, column);
      rows.end_row();
      if (has_groups) groups.add(csv, columns.groups);
      if (!columns.labels) continue;
      const std::string_view label = csv.field(*columns.labels);
      if (label.empty()) {
        ++unlabelled;
      } else if (const auto id = find_class(read.classes, label, format.labels)) {
        read.labels.push_back(*id);
      } else {
        throw bad_input(fmt::format("{}: '{}' is not a class; {}", csv.place(), excerpt(label),
                                    expected_class(read.classes, label, format.labels)));
      }
      // A column of empty labels is as good as none, but half of the labels would be a mistake.
      if (unlabelled != 0 && !read.labels.empty()) {
        throw bad_input(csv.place() +
                        ": some cases have a label and some have none; expected all or none");
      }
    }
    read.probabilities = rows.finish();
    return read;
  }();
  if (lines.empty()) throw bad_input(name + ": no rows; expected at least one case");
  return {Predictions(std::move(parts), locate), groups.finish()};
}

std::string show_shape(const NpyHeader& array) {
  return fmt::format("({})", fmt::join(array.shape, ", "));
}

// An array of `rows` numbers or names, as N or N x 1. Its shape is looked at before its data.
NpyArray column_of(const NpzFile& npz, std::string_view array, std::size_t rows) {
  const NpyHeader header = npz.header(array);
  const auto& shape = header.shape;
  const bool fits = !shape.empty() && shape.size() <= 2 && shape[0] == rows &&
                    (shape.size() == 1 || shape[1] == 1);
  if (!fits) {
    throw bad_input(fmt::format("{}: '{}': shape {}; expected ({}) or ({}, 1)", npz.name(), array,
                                show_shape(header), rows, rows));
  }
  return npz.at(array);
}

std::vector<std::string> names_of(const NpyArray& column) {
  std::vector<std::string> names = column.as_strings();
  for (std::string& name : names) {
    const std::string_view inside = trimmed(name);
    if (inside.size() != name.size()) name = std::string(inside);
  }
  return names;
}

std::vector<ClassId> labels_of(const NpyArray& column, const ClassNames& classes, LabelKind texts,
                               const Predictions::Locate& locate) {
  std::vector<ClassId> labels;
  const NpyKind kind = column.header().kind;
  if (kind == NpyKind::kText || kind == NpyKind::kBytes) {
    for (const std::string& name : names_of(column)) {
      const auto id = find_class(classes, name, texts);
      if (!id) {
        throw bad_input(fmt::format("{}: '{}' is not a class; {}", locate(labels.size()),
                                    excerpt(name), expected_class(classes, name, texts)));
      }
      labels.push_back(*id);
    }
    return labels;
  }
  for (const std::int64_t number : column.as_integers()) {
    if (number < 0 || static_cast<std::size_t>(number) >= classes.size()) {
      throw bad_input(fmt::format(
          "{}: label {} is not a class number; expected 0..{}{}", locate(labels.size()), number,
          classes.size() - 1,
          std::cmp_equal(number, classes.size()) ? "; counted from 1? subtract 1" : ""));
    }
    labels.push_back(class_id(static_cast<std::size_t>(number)));
  }
  return labels;
}

// The probabilities of an array of scores, which is cases x classes.
std::vector<float> probabilities_of(const NpyArray& scores, ScoreKind kind, ProbabilityUnit unit,
                                    const Predictions::Locate& locate) {
  if (kind == ScoreKind::kLogits) {
    return Predictions::from_logits(scores.as_doubles(), scores.shape()[1], locate);
  }
  std::vector<float> probabilities = scores.as_floats();
  if (unit == ProbabilityUnit::kPercent) {
    for (float& p : probabilities) p = static_cast<float>(double{p} / 100);
  }
  return probabilities;
}

void require_cases_and_classes(const NpyArray& scores) {
  if (scores.shape().size() != 2) {
    throw bad_input(fmt::format("{}: shape {}; expected (cases, classes)", scores.place(),
                                show_shape(scores.header())));
  }
  if (scores.shape()[0] == 0) {
    throw bad_input(scores.place() + ": no rows; expected at least one case");
  }
  const std::size_t classes = scores.shape()[1];
  if (classes < 2 || classes > kMaxClasses) {
    throw bad_input(
        fmt::format("{}: {} class(es); expected 2..{}", scores.place(), classes, kMaxClasses));
  }
}

ScoreKind kind_of(const NpzFile& npz) {
  const bool logits = npz.contains("logits");
  if (logits != npz.contains("probabilities")) {
    return logits ? ScoreKind::kLogits : ScoreKind::kProbabilities;
  }
  if (logits) {
    throw bad_input(npz.name() + ": both 'probabilities' and 'logits'; expected one of them");
  }
  const std::string listing = npz.listing();
  throw bad_input(fmt::format("{}: neither 'probabilities' nor 'logits'; expected one of them{}{}",
                              npz.name(), listing.empty() ? "" : "; found ", listing));
}

Predictions from_npy(std::string bytes, const std::string& name, const PredictionsFormat& format,
                     const ReadOptions& options) {
  const Predictions::Locate locate = [&](std::size_t row) {
    return fmt::format("{}: row {}", name, row);
  };
  std::string_view rest = bytes;
  const ByteReader next_bytes = [&](std::span<std::uint8_t> out) {
    if (out.size() > rest.size()) {
      throw Error(ErrorKind::kCorruptFile, name + ": the data is cut short");
    }
    std::copy_n(rest.begin(), out.size(), out.begin());
    rest.remove_prefix(out.size());
  };
  const NpyArray scores =
      read_npy(next_bytes, bytes.size(), name, options.limits.allowed(bytes.size()));
  require_cases_and_classes(scores);
  options.note(fmt::format("{}: is a bare array, {}, taken for {}; cases and classes go by number",
                           name, type_and_shape(scores.header()),
                           format.scores == ScoreKind::kLogits ? "logits" : "probabilities"));
  Predictions::Parts parts{ClassNames::numbered(scores.shape()[1]), {}, {}, {}, {}, 0};
  parts.probabilities = probabilities_of(scores, format.scores, format.unit, locate);
  return Predictions(std::move(parts), locate);
}

Predictions from_npz(std::string bytes, const std::string& name, const PredictionsFormat& format,
                     const ReadLimits& limits) {
  const Predictions::Locate locate = [&](std::size_t row) {
    return fmt::format("{}: row {}", name, row);
  };
  const NpzFile npz = NpzFile::from_bytes(std::move(bytes), name, limits);
  const ScoreKind kind = kind_of(npz);
  const NpyArray scores = npz.at(kind == ScoreKind::kLogits ? "logits" : "probabilities");
  require_cases_and_classes(scores);
  const std::size_t n = scores.shape()[0];
  const std::size_t k = scores.shape()[1];
  std::vector<std::string> names;
  if (npz.contains("classes")) names = names_of(column_of(npz, "classes", k));
  Predictions::Parts parts{names.empty() ? ClassNames::numbered(k)
                                         : class_names_at(std::move(names), name + ": 'classes'"),
                           {},
                           {},
                           {},
                           {},
                           0};
  parts.probabilities = probabilities_of(scores, kind, format.unit, locate);
  if (npz.contains("labels")) {
    parts.labels = labels_of(column_of(npz, "labels", n), parts.classes, format.labels, locate);
  }
  if (npz.contains("cases")) parts.cases = names_of(column_of(npz, "cases", n));
  if (npz.contains("features")) {
    const NpyHeader features = npz.header("features");
    if (features.shape.size() != 2 || features.shape[0] != n) {
      throw bad_input(fmt::format("{}: 'features': shape {}; expected ({}, width)", npz.name(),
                                  show_shape(features), n));
    }
    parts.feature_width = features.shape[1];
    parts.features = npz.at("features").as_floats();
  }
  return Predictions(std::move(parts), locate);
}

void write_npz(const std::filesystem::path& path, const Predictions& predictions) {
  const std::size_t n = predictions.size();
  NpzWriter npz;
  npz.add("probabilities", {n, predictions.classes().size()}, predictions.all_probabilities());
  npz.add("classes", predictions.classes().names());
  if (!predictions.numbers_its_cases()) npz.add("cases", predictions.case_names());
  if (predictions.has_labels()) {
    std::vector<std::int64_t> labels;
    for (const ClassId label : predictions.labels()) {
      labels.push_back(static_cast<std::int64_t>(label));
    }
    npz.add("labels", {n}, std::span<const std::int64_t>(labels));
  }
  if (predictions.feature_width() > 0) {
    npz.add("features", {n, predictions.feature_width()}, predictions.all_features());
  }
  write_file_atomically(path, std::move(npz).bytes());
}

// The shortest text that reads back as the same float.
void append_float(std::string& text, float value) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  text.append(digits.data(), end);
}

void write_csv(const std::filesystem::path& path, const Predictions& predictions, CsvText text) {
  for (const std::string& name : predictions.classes().names()) {
    // Where there are no labels, a column of that name in any letter case would be read as them.
    const bool taken_for_labels = !predictions.has_labels() && lower_case(name) == "label";
    if (name == "case" || name == "label" || taken_for_labels) {
      throw bad_input(
          fmt::format("{}: a class is named '{}', which CSV keeps for a column of its "
                      "own; expected another name or an .npz file",
                      path.string(), excerpt(name)));
    }
  }
  AtomicFile file(path);
  std::string line = predictions.has_labels() ? "case,label" : "case";
  for (const std::string& name : predictions.classes().names()) line += ',' + csv_field(name, text);
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    file.write(line += '\n');
    line = csv_field(predictions.case_name(row), text);
    if (predictions.has_labels()) {
      line += ',' + csv_field(predictions.classes().name(predictions.label(row)), text);
    }
    for (const float p : predictions.probabilities(row)) {
      line += ',';
      append_float(line, p);
    }
  }
  file.write(line += '\n');
  file.commit();
}

}  // namespace

GroupedPredictions grouped_predictions_from_bytes(std::string bytes, const std::string& name,
                                                  const PredictionsFormat& format,
                                                  const ReadOptions& options) {
  if (is_npy(bytes)) return {from_npy(std::move(bytes), name, format, options)};
  if (is_zip(bytes) && !is_foreign_archive(bytes)) {
    return {from_npz(std::move(bytes), name, format, options.limits)};
  }
  refuse_foreign_format(bytes, name, "CSV or NPZ");
  return from_csv(std::move(bytes), name, format, options);
}

GroupedPredictions read_grouped_predictions(const std::filesystem::path& path,
                                            const PredictionsFormat& format,
                                            const ReadOptions& options) {
  FileContents contents = read_contents(path, options.limits);
  return grouped_predictions_from_bytes(std::move(contents.bytes), source_name(path), format,
                                        ReadOptions(contents.limits, options.sink));
}

Predictions predictions_from_bytes(std::string bytes, const std::string& name,
                                   const PredictionsFormat& format, const ReadOptions& options) {
  return grouped_predictions_from_bytes(std::move(bytes), name, format, options).cases;
}

Predictions read_predictions(const std::filesystem::path& path, const PredictionsFormat& format,
                             const ReadOptions& options) {
  return read_grouped_predictions(path, format, options).cases;
}

void write_predictions(const std::filesystem::path& path, const Predictions& predictions,
                       CsvText text) {
  if (path.extension() == ".npz") return write_npz(path, predictions);
  write_csv(path, predictions, text);
}

}  // namespace ifd
