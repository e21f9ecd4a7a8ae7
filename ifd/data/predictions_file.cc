#include "ifd/data/predictions_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ifd/data/csv.h"
#include "ifd/data/file_bytes.h"
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
  ScoreRows(ScoreKind kind, std::size_t classes, const Predictions::Locate& locate)
      : kind_(kind), classes_(classes), locate_(locate) {}

  void reserve(std::size_t rows) { probabilities_.reserve(rows * classes_); }

  void add(const CsvReader& csv, std::size_t column) {
    if (kind_ == ScoreKind::kProbabilities) {
      probabilities_.push_back(csv.float_number(column));
    } else {
      logits_.push_back(csv.number(column));
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

  ScoreKind kind_;
  std::size_t classes_;
  const Predictions::Locate& locate_;
  std::vector<float> probabilities_;
  std::vector<double> logits_;
};

// A row of ten letters takes five times as many bytes in memory: what a small file has unfolded to
// must not grow once more.
void check_room(std::size_t rows, std::size_t classes, std::uint64_t allowed,
                const std::string& name) {
  const std::size_t each =
      sizeof(std::string) + sizeof(std::size_t) + sizeof(ClassId) + classes * sizeof(float);
  if (rows <= allowed / each) return;
  throw Error(ErrorKind::kCorruptFile,
              fmt::format("{}: {} rows take {} bytes each in memory; expected at most {} bytes; "
                          "--max-expansion allows more",
                          name, rows, each, allowed));
}

// Numbers groups as they first appear.
class GroupNumbers {
 public:
  void add(const CsvReader& csv, std::size_t column) {
    const std::string group(csv.field(column));
    if (group.empty()) {
      throw bad_input(fmt::format("{}: the group is empty; expected a name", csv.place()));
    }
    const auto next = static_cast<std::uint32_t>(number_of_.size());
    groups_.push_back(number_of_.emplace(group, next).first->second);
  }
  std::vector<std::uint32_t> finish() { return std::move(groups_); }

 private:
  std::unordered_map<std::string, std::uint32_t> number_of_;
  std::vector<std::uint32_t> groups_;
};

// `group` names a column that is no class; empty: there is none.
GroupedPredictions from_csv(std::string bytes, const std::string& name, const std::string& group,
                            ScoreKind scores, const ReadOptions& options) {
  GroupNumbers groups;
  std::vector<std::size_t> lines;  // of each row
  const Predictions::Locate locate = [&](std::size_t row) {
    return fmt::format("{}:{}", name, lines[row]);
  };
  const std::uint64_t allowed = options.limits.allowed(bytes.size());
  // The bytes are gone before the checks, which need memory of their own.
  auto parts = [&] {
    CsvReader csv(std::move(bytes), name, options);
    const std::size_t case_column = csv.required_column("case");
    const std::optional<std::size_t> label_column = csv.column("label");
    const std::size_t no_column = csv.columns().size();
    std::size_t group_column = group.empty() ? no_column : csv.column(group).value_or(no_column);
    if (group_column == case_column || group_column == label_column) group_column = no_column;
    std::vector<std::size_t> class_columns;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < csv.columns().size(); ++i) {
      if (i == case_column || i == label_column || i == group_column) continue;
      if (csv.columns()[i].empty()) {
        throw bad_input(fmt::format(
            "{}: column {} has no name; expected 'case', 'label' or the name of a class",
            csv.place(), i + 1));
      }
      class_columns.push_back(i);
      names.push_back(csv.columns()[i]);
    }
    Predictions::Parts read{class_names_at(std::move(names), csv.place()), {}, {}, {}, {}, 0};
    const std::size_t most_rows = csv.most_rows_left();
    check_room(most_rows, class_columns.size(), allowed, name);
    ScoreRows rows(scores, class_columns.size(), locate);
    rows.reserve(most_rows);
    read.cases.reserve(most_rows);
    lines.reserve(most_rows);
    std::size_t unlabelled = 0;
    while (csv.next()) {
      lines.push_back(csv.line());
      read.cases.emplace_back(csv.field(case_column));
      for (const std::size_t column : class_columns) rows.add(csv, column);
      rows.end_row();
      if (group_column != no_column) groups.add(csv, group_column);
      if (!label_column) continue;
      const std::string_view label = csv.field(*label_column);
      if (label.empty()) {
        ++unlabelled;
      } else if (const auto id = read.classes.find(label)) {
        read.labels.push_back(*id);
      } else {
        throw bad_input(fmt::format("{}: '{}' is not a class; expected {}", csv.place(),
                                    excerpt(label), read.classes.allowed()));
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

std::vector<ClassId> labels_of(const NpyArray& column, const ClassNames& classes,
                               const Predictions::Locate& locate) {
  std::vector<ClassId> labels;
  const auto refuse = [&](const std::string& label) {
    return bad_input(fmt::format("{}: '{}' is not a class; expected {}", locate(labels.size()),
                                 excerpt(label), classes.allowed()));
  };
  const NpyKind kind = column.header().kind;
  if (kind == NpyKind::kText || kind == NpyKind::kBytes) {
    for (const std::string& name : column.as_strings()) {
      const auto id = classes.find(name);
      if (!id) throw refuse(name);
      labels.push_back(*id);
    }
    return labels;
  }
  for (const std::int64_t number : column.as_integers()) {
    if (number < 0 || static_cast<std::size_t>(number) >= classes.size()) {
      throw bad_input(fmt::format("{}: label {} is not a class number; expected 0..{}",
                                  locate(labels.size()), number, classes.size() - 1));
    }
    labels.push_back(class_id(static_cast<std::size_t>(number)));
  }
  return labels;
}

Predictions from_npz(std::string bytes, const std::string& name, const ReadLimits& limits) {
  const Predictions::Locate locate = [&](std::size_t row) {
    return fmt::format("{}: row {}", name, row);
  };
  const NpzFile npz = NpzFile::from_bytes(std::move(bytes), name, limits);
  const bool logits = npz.contains("logits");
  if (logits == npz.contains("probabilities")) {
    throw bad_input(fmt::format("{}: {} 'probabilities' {} 'logits'; expected one of them", name,
                                logits ? "both" : "neither", logits ? "and" : "nor"));
  }
  const NpyArray scores = npz.at(logits ? "logits" : "probabilities");
  if (scores.shape().size() != 2) {
    throw bad_input(fmt::format("{}: shape {}; expected (cases, classes)", scores.place(),
                                show_shape(scores.header())));
  }
  const std::size_t n = scores.shape()[0];
  const std::size_t k = scores.shape()[1];
  if (n == 0) throw bad_input(scores.place() + ": no rows; expected at least one case");
  if (k < 2 || k > kMaxClasses) {
    throw bad_input(
        fmt::format("{}: {} class(es); expected 2..{}", scores.place(), k, kMaxClasses));
  }
  std::vector<std::string> names;
  if (npz.contains("classes")) names = column_of(npz, "classes", k).as_strings();
  Predictions::Parts parts{names.empty() ? ClassNames::numbered(k)
                                         : class_names_at(std::move(names), name + ": 'classes'"),
                           {},
                           {},
                           {},
                           {},
                           0};
  parts.probabilities =
      logits ? Predictions::from_logits(scores.as_doubles(), k, locate) : scores.as_floats();
  if (npz.contains("labels")) {
    parts.labels = labels_of(column_of(npz, "labels", n), parts.classes, locate);
  }
  if (npz.contains("cases")) parts.cases = column_of(npz, "cases", n).as_strings();
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
  for (const std::string_view column : {"case", "label"}) {
    if (predictions.classes().find(column)) {
      throw bad_input(
          fmt::format("{}: a class is named '{}', which CSV keeps for a column of its "
                      "own; expected another name or an .npz file",
                      path.string(), column));
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

Predictions predictions_from_bytes(std::string bytes, const std::string& name, ScoreKind csv_scores,
                                   const ReadOptions& options) {
  if (is_zip(bytes)) return from_npz(std::move(bytes), name, options.limits);
  return from_csv(std::move(bytes), name, "", csv_scores, options).cases;
}

GroupedPredictions grouped_predictions_from_bytes(std::string bytes, const std::string& name,
                                                  const std::string& group_column,
                                                  ScoreKind csv_scores,
                                                  const ReadOptions& options) {
  if (is_zip(bytes)) return {from_npz(std::move(bytes), name, options.limits)};
  return from_csv(std::move(bytes), name, group_column, csv_scores, options);
}

GroupedPredictions read_grouped_predictions(const std::filesystem::path& path,
                                            const std::string& group_column, ScoreKind csv_scores,
                                            const ReadOptions& options) {
  FileContents contents = read_contents(path, options.limits);
  return grouped_predictions_from_bytes(std::move(contents.bytes), source_name(path), group_column,
                                        csv_scores, ReadOptions(contents.limits, options.sink));
}

Predictions read_predictions(const std::filesystem::path& path, ScoreKind csv_scores,
                             const ReadOptions& options) {
  FileContents contents = read_contents(path, options.limits);
  return predictions_from_bytes(std::move(contents.bytes), source_name(path), csv_scores,
                                ReadOptions(contents.limits, options.sink));
}

void write_predictions(const std::filesystem::path& path, const Predictions& predictions,
                       CsvText text) {
  if (path.extension() == ".npz") return write_npz(path, predictions);
  write_csv(path, predictions, text);
}

}  // namespace ifd
