// The answers of a file, one after the other, whichever way it lays them out: a row per answer with
// the columns `expert`, `case`, `answer` and maybe `truth`, others being ignored; or a row per case
// with `case`, maybe `truth` or `label`, and a column per expert, where there is neither a column
// `expert` nor `answer`.
//
// In a column per expert every cell is a class or blank: a column of anything else, such as dates,
// is refused rather than taken for an expert who is always wrong.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ifd/data/answer_cells.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/answers_format.h"
#include "ifd/data/class_names.h"
#include "ifd/data/csv.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_options.h"
#include "ifd/error.h"

namespace ifd {

// Numbers names in the order of their first appearance. The names must outlive it.
class NameNumbers {
 public:
  std::size_t number(std::string_view name) {
    const auto [place, added] = numbers_.try_emplace(name, names_.size());
    if (added) names_.push_back(name);
    return place->second;
  }
  void reserve(std::size_t count) {
    numbers_.reserve(count);
    names_.reserve(count);
  }
  std::size_t size() const { return names_.size(); }
  const std::vector<std::string_view>& names() const { return names_; }

 private:
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<std::string_view> names_;
};

struct AnswerRow {
  std::string_view expert;
  std::string_view case_name;
  std::size_t expert_number = 0;
  std::size_t case_number = 0;
  Answer answer = Answer::missing();  // missing: a blank
  std::optional<ClassId> truth = {};  // of this row, where every row has its own
  std::size_t line = 0;
};

// Walks over the answers and holds them against each other and against labels known beforehand. The
// characters that its views point to live as long as it does.
class AnswerRows {
 public:
  enum class Purpose { kContext, kEvaluation };

  // The cases of `known` (may be null) get the first numbers, in its order. The classes must
  // outlive this. Blank cells of a column per expert are passed over where blanks are skipped.
  AnswerRows(std::string bytes, const std::string& name, const ClassNames& classes,
             const Predictions* known, Purpose purpose, const AnswersFormat& format,
             const ReadOptions& options);

  bool next();
  const AnswerRow& row() const { return row_; }
  // From the labels or, where a case has one truth, from the file.
  std::optional<ClassId> truth(std::size_t case_number) const { return truths_[case_number].id; }

  // Room for a table of answers.
  void take_table(std::size_t experts, std::size_t cases);

  std::size_t cases() const { return cases_.size(); }
  std::string_view case_name(std::size_t case_number) const { return cases_.names()[case_number]; }
  const std::vector<std::string_view>& experts() const { return experts_.names(); }
  const std::string& name() const { return csv_.name(); }
  bool has_truth_column() const { return truth_column_.has_value(); }
  bool has_column_per_expert() const { return !expert_columns_.empty(); }
  // What becomes of blanks: what the format says, or what is usual for the purpose.
  BlankAnswers blank_answers() const { return blank_answers_; }
  const AnswerCells& cells() const { return cells_; }
  std::size_t blanks() const { return blanks_; }    // so far
  std::size_t answers() const { return answers_; }  // so far, blanks included
  std::size_t outside() const { return outside_; }  // so far

 private:
  struct Truth {
    std::optional<ClassId> id;
    std::size_t line = 0;  // 0: from the labels
  };
  // In a column per expert, where a case stands first.
  struct FirstRow {
    std::size_t line = 0;    // 0: nowhere yet
    std::size_t number = 0;  // among such rows
  };

  void find_columns();
  bool find_expert_columns();
  void know(const Predictions& known);
  bool next_row();
  bool next_cell();
  std::string_view named(std::size_t column, std::string_view what) const;
  Truth label_of(const Predictions& known, std::size_t row) const;
  void begin_case();
  std::size_t number_of_expert(std::string_view name);
  void begin_row_of_case();
  Error second_answer(std::size_t line) const;
  void take_answer(std::string_view cell);
  void keep_answer();
  void take_truth(std::string_view text);
  void take_truth_of_case(ClassId id, std::string_view text);

  CsvReader csv_;
  const ClassNames& classes_;
  Purpose purpose_;
  TruthKind truth_kind_;
  LabelKind labels_;
  BlankAnswers blank_answers_;
  AnswerCells cells_;
  std::size_t expert_column_ = 0;
  std::size_t case_column_ = 0;
  std::size_t answer_column_ = 0;
  std::optional<std::size_t> truth_column_;
  std::vector<std::size_t> expert_columns_;  // empty: a row per answer
  std::size_t at_ = 0;                       // the next of the expert columns
  std::vector<std::string> known_names_;
  bool numbered_ = false;  // the cases known beforehand go by their row numbers
  NameNumbers experts_;
  std::size_t room_for_experts_ = 0;
  NameNumbers cases_;
  std::vector<Truth> truths_;         // by case number
  std::vector<FirstRow> first_rows_;  // by case number, in a column per expert
  std::vector<bool> first_answers_;   // first row x expert: whether there is an answer
  std::size_t count_first_rows_ = 0;
  bool in_first_row_ = false;
  // (expert, case) -> line, but for the answers in first rows.
  std::unordered_map<std::uint64_t, std::size_t> lines_;
  AnswerRow row_;
  std::size_t blanks_ = 0;
  std::size_t answers_ = 0;
  std::size_t outside_ = 0;
};

}  // namespace ifd
