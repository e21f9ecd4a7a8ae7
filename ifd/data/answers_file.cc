#include "ifd/data/answers_file.h"

#include <fmt/format.h>

#include <cassert>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "ifd/data/csv.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

// A file may name so many experts that a table of them all would not fit in memory.
constexpr std::size_t kMaxTableCells = std::size_t{1} << 32;

// Numbers names in the order of their first appearance. The names must outlive it.
class NameNumbers {
 public:
  std::size_t number(std::string_view name) {
    return numbers_.try_emplace(name, numbers_.size()).first->second;
  }
  void reserve(std::size_t count) { numbers_.reserve(count); }
  std::size_t size() const { return numbers_.size(); }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
};

struct AnswerRow {
  std::string_view expert;
  std::string_view case_name;
  std::size_t expert_number;
  std::size_t case_number;
  Answer answer;
};

// Walks over the rows of an answers file and holds them against each other and against labels
// known beforehand.
class AnswerRows {
 public:
  // The cases of `known` (may be null) get the first numbers, in its order.
  AnswerRows(std::string bytes, const std::string& name, const ClassNames& classes,
             const Predictions* known, const ReadOptions& options)
      : csv_(std::move(bytes), name, options),
        classes_(classes),
        expert_column_(csv_.required_column("expert")),
        case_column_(csv_.required_column("case")),
        answer_column_(csv_.required_column("answer")),
        truth_column_(csv_.column("truth")) {
    if (known == nullptr) return;
    numbered_ = known->numbers_its_cases();
    cases_.reserve(known->size());
    truths_.reserve(known->size());
    known_names_ = known->case_names();
    for (std::size_t row = 0; row < known->size(); ++row) {
      cases_.number(known_names_[row]);
      truths_.push_back({});
      if (known->has_labels()) truths_.back() = label_of(*known, row);
    }
  }

  bool next() {
    if (!csv_.next()) return false;
    row_.expert = named(expert_column_, "expert");
    row_.case_name = named(case_column_, "case");
    row_.expert_number = experts_.number(row_.expert);
    row_.case_number = cases_.number(row_.case_name);
    const auto answer = classes_.find(csv_.field(answer_column_));
    row_.answer = answer ? Answer(*answer) : Answer::outside();
    refuse_second_answer();
    if (cases_.size() > truths_.size()) truths_.push_back({});
    if (truth_column_) take_truth(csv_.field(*truth_column_));
    return true;
  }
  const AnswerRow& row() const { return row_; }
  std::optional<ClassId> truth(std::size_t case_number) const { return truths_[case_number].id; }
  bool has_truth_column() const { return truth_column_.has_value(); }
  std::string place() const { return csv_.place(); }

 private:
  struct Truth {
    std::optional<ClassId> id;
    std::size_t line = 0;  // 0: from the labels
  };

  std::string_view named(std::size_t column, std::string_view what) const {
    const std::string_view name = csv_.field(column);
    if (name.empty()) {
      throw bad_input(fmt::format("{}: the {} has no name; expected one", place(), what));
    }
    return name;
  }

  Truth label_of(const Predictions& known, std::size_t row) const {
    const std::string& label = known.classes().name(known.label(row));
    const auto id = classes_.find(label);
    if (!id) {
      throw bad_input(fmt::format("the label '{}' of case '{}' is not a class; expected {}",
                                  excerpt(label), excerpt(known.case_name(row)),
                                  classes_.allowed()));
    }
    return {id, 0};
  }

  void refuse_second_answer() {
    assert(row_.expert_number <= UINT32_MAX && row_.case_number <= UINT32_MAX);
    const std::uint64_t key = std::uint64_t{row_.expert_number} << 32 | row_.case_number;
    const auto [first, inserted] = lines_.try_emplace(key, csv_.line());
    if (inserted) return;
    throw bad_input(fmt::format(
        "{}: expert '{}' answers case '{}' a second time, after line {}; expected one answer",
        place(), excerpt(row_.expert), excerpt(row_.case_name), first->second));
  }

  void take_truth(std::string_view text) {
    if (text.empty()) return;
    const auto id = classes_.find(text);
    if (!id) {
      throw bad_input(fmt::format("{}: truth '{}' is not a class; expected {}", place(),
                                  excerpt(text), classes_.allowed()));
    }
    Truth& known = truths_[row_.case_number];
    if (!known.id) known = {id, csv_.line()};
    if (known.id == id) return;
    const bool of_row = known.line == 0 && numbered_;
    const std::string source = of_row            ? "the label of that row is"
                               : known.line == 0 ? "the case's label is"
                                                 : fmt::format("line {} says", known.line);
    throw Error(
        ErrorKind::kConflict,
        fmt::format(
            "{}: truth '{}' for case '{}', but {} '{}'; expected the same{}", place(),
            excerpt(text), excerpt(row_.case_name), source, excerpt(classes_.name(*known.id)),
            of_row ? ", or names of the cases in an array 'cases' of the predictions" : ""));
  }

  CsvReader csv_;
  const ClassNames& classes_;
  std::size_t expert_column_;
  std::size_t case_column_;
  std::size_t answer_column_;
  std::optional<std::size_t> truth_column_;
  std::vector<std::string> known_names_;
  bool numbered_ = false;  // the cases known beforehand go by their row numbers
  NameNumbers experts_;
  NameNumbers cases_;
  std::vector<Truth> truths_;                             // by case number
  std::unordered_map<std::uint64_t, std::size_t> lines_;  // (expert, case) -> line
  AnswerRow row_{{}, {}, 0, 0, Answer::missing()};
};

void write_row(AtomicFile& file, std::string_view expert, std::string_view case_name, Answer answer,
               const ClassNames& classes, CsvText text) {
  assert(!answer.is_missing());
  file.write(csv_field(expert, text) + ',' + csv_field(case_name, text) + ',');
  if (!answer.is_outside()) file.write(csv_field(classes.name(answer.as_class()), text));
}

// Says what a row without truth needs, where the file has a column 'truth' or not.
using ExpectedTruth = std::string (*)(bool has_truth_column);

std::string truth_or_label(bool has_truth_column) {
  return has_truth_column ? "one in column 'truth' or as a label of the case"
                          : "a column 'truth' or a label of the case";
}

std::string truth_or_names(bool has_truth_column) {
  return fmt::format("{} 'truth', since the predictions only number their cases; or {}",
                     has_truth_column ? "one in column" : "a column", kWaysToTellCasesApart);
}

std::vector<ExpertContext> contexts_of(AnswerRows& rows, const std::string& name,
                                       const AnswersFormat& format, ExpectedTruth expected) {
  // The truth of a case may stand in a later row, so rows are complete only at the end.
  struct Open {
    std::size_t expert;
    std::size_t row;
    std::size_t case_number;
    std::string place;
  };
  std::vector<Open> open;
  std::vector<ExpertContext> contexts;
  while (rows.next()) {
    const AnswerRow& row = rows.row();
    if (row.expert_number == contexts.size()) {
      contexts.push_back({std::string(row.expert), {}});
    }
    std::vector<ContextRow>& context = contexts[row.expert_number].rows;
    const auto truth = rows.truth(row.case_number);
    if (!truth) open.push_back({row.expert_number, context.size(), row.case_number, rows.place()});
    context.push_back({std::string(row.case_name), truth.value_or(ClassId{}), row.answer});
  }
  for (const Open& place : open) {
    ContextRow& row = contexts[place.expert].rows[place.row];
    const auto truth = rows.truth(place.case_number);
    if (!truth) {
      throw bad_input(fmt::format("{}: no truth for case '{}'; expected {}", place.place,
                                  excerpt(row.case_name), expected(rows.has_truth_column())));
    }
    row.truth = *truth;
  }
  if (contexts.empty() && !format.may_be_empty) {
    throw bad_input(name + ": no rows; expected at least one answer");
  }
  return contexts;
}

}  // namespace

std::vector<ExpertContext> contexts_from_bytes(std::string bytes, const std::string& name,
                                               const ClassNames& classes,
                                               const Predictions* labelled,
                                               const ReadOptions& options,
                                               const AnswersFormat& format) {
  AnswerRows rows(std::move(bytes), name, classes, labelled, options);
  return contexts_of(rows, name, format, truth_or_label);
}

std::vector<ExpertContext> read_contexts(const std::filesystem::path& path,
                                         const ClassNames& classes, const Predictions* labelled,
                                         const ReadOptions& options, const AnswersFormat& format) {
  return contexts_from_bytes(read_file(path, options.limits), path.string(), classes, labelled,
                             options, format);
}

std::vector<ExpertContext> contexts_beside_from_bytes(std::string bytes, const std::string& name,
                                                      const Predictions& decided,
                                                      const ReadOptions& options,
                                                      const AnswersFormat& format) {
  const bool numbered = decided.numbers_its_cases();
  AnswerRows rows(std::move(bytes), name, decided.classes(), numbered ? nullptr : &decided,
                  options);
  return contexts_of(rows, name, format, numbered ? truth_or_names : truth_or_label);
}

std::vector<ExpertContext> read_contexts_beside(const std::filesystem::path& path,
                                                const Predictions& decided,
                                                const ReadOptions& options,
                                                const AnswersFormat& format) {
  return contexts_beside_from_bytes(read_file(path, options.limits), path.string(), decided,
                                    options, format);
}

void require_case_names(const Predictions& decided, const std::string& place) {
  if (!decided.numbers_its_cases()) return;
  throw bad_input(fmt::format(
      "{}: only numbers its cases, so which of them are the context's is not known; expected {}",
      place, kWaysToTellCasesApart));
}

std::size_t count_outside(std::span<const ExpertContext> contexts) {
  std::size_t count = 0;
  for (const ExpertContext& context : contexts) {
    for (const ContextRow& row : context.rows) count += row.answer.is_outside() ? 1 : 0;
  }
  return count;
}

AnswersFile answers_from_bytes(std::string bytes, const std::string& name,
                               const Predictions& predictions, const ReadOptions& options,
                               const AnswersFormat& /*format*/) {
  struct Cell {
    std::size_t row;
    std::size_t expert;
    Answer answer;
  };
  AnswerRows rows(std::move(bytes), name, predictions.classes(), &predictions, options);
  NameNumbers experts;
  std::vector<std::string> expert_names;
  std::vector<Cell> cells;
  std::size_t unused = 0;
  std::size_t outside = 0;
  while (rows.next()) {
    const AnswerRow& row = rows.row();
    if (row.case_number >= predictions.size()) {
      ++unused;
      continue;
    }
    const std::size_t expert = experts.number(row.expert);
    if (expert == expert_names.size()) expert_names.emplace_back(row.expert);
    cells.push_back({row.case_number, expert, row.answer});
    outside += row.answer.is_outside() ? 1 : 0;
  }
  if (cells.empty()) {
    throw bad_input(unused == 0
                        ? name + ": no rows; expected at least one answer"
                        : fmt::format("{}: none of the {} rows is on a case of the predictions; "
                                      "expected cases such as '{}'",
                                      name, unused, excerpt(predictions.case_name(0))));
  }
  if (expert_names.size() > kMaxTableCells / predictions.size()) {
    throw bad_input(fmt::format("{}: {} experts and {} cases; expected at most {} answers", name,
                                expert_names.size(), predictions.size(), kMaxTableCells));
  }
  AnswersFile file{AnswerTable(std::move(expert_names), predictions.size()), {}, unused, outside};
  for (const Cell& cell : cells)
    file.table.set(case_id(cell.row), expert_id(cell.expert), cell.answer);
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    const auto truth = rows.truth(row);
    if (!truth) {
      file.truths.clear();
      break;
    }
    file.truths.push_back(*truth);
  }
  return file;
}

AnswersFile read_answers(const std::filesystem::path& path, const Predictions& predictions,
                         const ReadOptions& options, const AnswersFormat& format) {
  return answers_from_bytes(read_file(path, options.limits), path.string(), predictions, options,
                            format);
}

void write_contexts(const std::filesystem::path& path, std::span<const ExpertContext> contexts,
                    const ClassNames& classes, CsvText text) {
  AtomicFile file(path);
  file.write("expert,case,answer,truth\n");
  for (const ExpertContext& context : contexts) {
    for (const ContextRow& row : context.rows) {
      write_row(file, context.expert, row.case_name, row.answer, classes, text);
      file.write(',' + csv_field(classes.name(row.truth), text) + '\n');
    }
  }
  file.commit();
}

void write_answers(const std::filesystem::path& path, const AnswerTable& table,
                   const Predictions& predictions, CsvText text) {
  assert(table.cases() == predictions.size());
  AtomicFile file(path);
  file.write(predictions.has_labels() ? "expert,case,answer,truth\n" : "expert,case,answer\n");
  // Expert by expert, so that reading finds the experts in the order of the table.
  for (std::size_t expert = 0; expert < table.experts(); ++expert) {
    for (std::size_t row = 0; row < table.cases(); ++row) {
      if (table.at(case_id(row), expert_id(expert)).is_missing()) continue;
      write_row(file, table.expert_names()[expert], predictions.case_name(row),
                table.at(case_id(row), expert_id(expert)), predictions.classes(), text);
      if (predictions.has_labels()) {
        file.write(',' + csv_field(predictions.classes().name(predictions.label(row)), text));
      }
      file.write("\n");
    }
  }
  file.commit();
}

}  // namespace ifd
