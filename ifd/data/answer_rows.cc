#include "ifd/data/answer_rows.h"

#include <fmt/format.h>

#include <cassert>
#include <utility>

#include "ifd/data/context_truths.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

// What the file becomes in memory, here and in a context; of long names beside that.
constexpr std::uint64_t kNameBytes =
    2 * sizeof(std::string_view) + sizeof(std::size_t) + kNodeBytes;
constexpr std::uint64_t kCaseBytes = kNameBytes + 4 * sizeof(std::size_t);
constexpr std::uint64_t kExpertBytes = kNameBytes + sizeof(ExpertContext);
constexpr std::uint64_t kAnswerBytes = sizeof(ContextAnswer) + sizeof(ContextRow);
constexpr std::uint64_t kLineBytes = sizeof(std::uint64_t) + sizeof(std::size_t) + kNodeBytes;
constexpr std::uint64_t kWordBytes = kNameBytes;

// Of a copy, beside the string itself.
std::uint64_t heap_bytes(std::string_view name) {
  static const std::size_t within = std::string().capacity();
  return name.size() > within ? name.size() + 1 : 0;
}

}  // namespace

AnswerRows::AnswerRows(std::string bytes, const std::string& name, const ClassNames& classes,
                       const Predictions* known, Purpose purpose, const AnswersFormat& format,
                       const ReadOptions& options)
    : csv_(std::move(bytes), name, options),
      classes_(classes),
      purpose_(purpose),
      truth_kind_(purpose == Purpose::kContext ? format.truth : TruthKind::kGiven),
      labels_(format.labels),
      blank_answers_(format.blanks.value_or(purpose == Purpose::kContext ? BlankAnswers::kSkip
                                                                         : BlankAnswers::kWrong)),
      cells_(classes, format.labels) {
  find_columns();
  if (known != nullptr) know(*known);
}

void AnswerRows::find_columns() {
  if (find_expert_columns()) return;
  expert_column_ = csv_.required_column("expert");
  case_column_ = csv_.required_column("case");
  answer_column_ = csv_.required_column("answer");
  truth_column_ = csv_.column("truth");
}

bool AnswerRows::find_expert_columns() {
  const auto cases = csv_.column("case");
  if (!cases || csv_.column("expert") || csv_.column("answer")) return false;
  const auto truth = csv_.column("truth"), label = csv_.column("label");
  const auto& columns = csv_.columns();
  if (columns.size() == (truth || label ? 2 : 1)) return false;
  if (truth && label) {
    throw bad_input(fmt::format(
        "{}: a column 'truth' and a column 'label'; expected one of them beside the experts'",
        csv_.place()));
  }
  case_column_ = *cases;
  truth_column_ = truth ? truth : label;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    if (column == *cases || column == truth_column_) continue;
    if (columns[column].empty()) {
      throw bad_input(
          fmt::format("{}: column {} has no name; expected an expert's", csv_.place(), column + 1));
    }
    if (is_too_long(columns[column])) throw name_too_long(columns[column], csv_.place());
    expert_columns_.push_back(column);
    number_of_expert(columns[column]);
  }
  at_ = expert_columns_.size();
  return true;
}

void AnswerRows::know(const Predictions& known) {
  numbered_ = known.numbers_its_cases();
  cases_.reserve(known.size());
  truths_.reserve(known.size());
  known_names_ = known.case_names();
  if (has_column_per_expert()) first_rows_.resize(known.size());
  for (std::size_t row = 0; row < known.size(); ++row) {
    cases_.number(known_names_[row]);
    truths_.push_back({});
    if (known.has_labels()) truths_.back() = label_of(known, row);
  }
}

bool AnswerRows::next() { return has_column_per_expert() ? next_cell() : next_row(); }

bool AnswerRows::next_row() {
  if (!csv_.next()) return false;
  row_.expert = named(expert_column_, "expert");
  row_.expert_number = number_of_expert(row_.expert);
  begin_case();
  take_answer(csv_.field(answer_column_));
  keep_answer();
  if (truth_column_) take_truth(csv_.field(*truth_column_));
  return true;
}

bool AnswerRows::next_cell() {
  do {
    if (at_ == expert_columns_.size()) {
      if (!csv_.next()) return false;
      begin_case();
      begin_row_of_case();
      if (truth_column_) take_truth(csv_.field(*truth_column_));
      at_ = 0;
    }
    row_.expert_number = at_;
    row_.expert = experts_.names()[at_];
    const std::string_view cell = csv_.field(expert_columns_[at_++]);
    take_answer(cell);
    if (row_.answer.is_outside()) {
      throw bad_input(fmt::format(
          "{}: '{}' in column '{}' is not a class; {}; without a column 'expert' every column is "
          "an expert's answers: remove what is none",
          csv_.place(), excerpt(cell), excerpt(row_.expert),
          expected_class(classes_, cell, labels_)));
    }
  } while (row_.answer.is_missing() && blank_answers_ == BlankAnswers::kSkip);
  keep_answer();
  return true;
}

void AnswerRows::begin_case() {
  row_.case_name = named(case_column_, "case");
  row_.case_number = cases_.number(row_.case_name);
  row_.line = csv_.line();
  row_.truth = {};
  if (cases_.size() == truths_.size()) return;
  csv_.take_room(kCaseBytes);
  truths_.push_back({});
}

// In a column per expert nearly all cases have one row, and whether it has an answer is a bit:
// cells of two bytes are no entries of a map.
void AnswerRows::begin_row_of_case() {
  if (first_rows_.size() < truths_.size()) first_rows_.push_back({});
  FirstRow& first = first_rows_[row_.case_number];
  in_first_row_ = first.line == 0;
  if (!in_first_row_) return;
  first = {csv_.line(), count_first_rows_++};
  first_answers_.resize(count_first_rows_ * expert_columns_.size(), false);
}

std::size_t AnswerRows::number_of_expert(std::string_view name) {
  const std::size_t number = experts_.number(name);
  if (experts_.size() > room_for_experts_) {
    csv_.take_room(kExpertBytes + heap_bytes(name));
    ++room_for_experts_;
  }
  return number;
}

void AnswerRows::take_table(std::size_t experts, std::size_t cases) {
  csv_.take_room(experts, sizeof(Answer) * cases);
}

void AnswerRows::take_answer(std::string_view cell) {
  row_.answer = cells_.read(cell);
  ++answers_;
  blanks_ += row_.answer.is_missing() ? 1 : 0;
  outside_ += row_.answer.is_outside() ? 1 : 0;
}

std::string_view AnswerRows::named(std::size_t column, std::string_view what) const {
  const std::string_view name = csv_.field(column);
  if (name.empty()) {
    throw bad_input(fmt::format("{}: the {} has no name; expected one", csv_.place(), what));
  }
  if (is_too_long(name)) throw name_too_long(name, csv_.place());
  return name;
}

AnswerRows::Truth AnswerRows::label_of(const Predictions& known, std::size_t row) const {
  const std::string& label = known.classes().name(known.label(row));
  const auto id = classes_.find(label);
  if (!id) {
    throw bad_input(fmt::format("the label '{}' of case '{}' is not a class; expected {}",
                                excerpt(label), excerpt(known.case_name(row)), classes_.allowed()));
  }
  return {id, 0};
}

void AnswerRows::keep_answer() {
  csv_.take_room(kAnswerBytes + heap_bytes(row_.case_name) +
                 (row_.answer.is_outside() ? kWordBytes : 0));
  if (has_column_per_expert()) {
    const FirstRow& first = first_rows_[row_.case_number];
    const std::size_t place = first.number * expert_columns_.size() + row_.expert_number;
    if (!in_first_row_ && first_answers_[place]) throw second_answer(first.line);
    if (in_first_row_) {
      first_answers_[place] = true;
      return;
    }
  }
  assert(row_.expert_number <= UINT32_MAX && row_.case_number <= UINT32_MAX);
  const std::uint64_t key = std::uint64_t{row_.expert_number} << 32 | row_.case_number;
  csv_.take_room(kLineBytes);
  const auto [first, inserted] = lines_.try_emplace(key, csv_.line());
  if (!inserted) throw second_answer(first->second);
}

Error AnswerRows::second_answer(std::size_t line) const {
  return bad_input(
      fmt::format("{}: expert '{}' answers case '{}' a second time, after line {}; expected one "
                  "answer",
                  csv_.place(), excerpt(row_.expert), excerpt(row_.case_name), line));
}

void AnswerRows::take_truth(std::string_view text) {
  if (is_computed(truth_kind_)) return;
  const auto id = find_class(classes_, text, labels_);
  if (!id && is_blank(text)) return;
  if (!id) {
    throw bad_input(fmt::format("{}: truth '{}' is not a class; {}", csv_.place(), excerpt(text),
                                expected_class(classes_, text, labels_)));
  }
  if (truth_kind_ == TruthKind::kRow) {
    row_.truth = id;
  } else {
    take_truth_of_case(*id, text);
  }
}

void AnswerRows::take_truth_of_case(ClassId id, std::string_view text) {
  Truth& known = truths_[row_.case_number];
  if (!known.id) known = {id, csv_.line()};
  if (known.id == id) return;
  const bool of_row = known.line == 0 && numbered_;
  const std::string source = of_row            ? "the label of that row is"
                             : known.line == 0 ? "the case's label is"
                                               : fmt::format("line {} says", known.line);
  throw Error(
      ErrorKind::kConflict,
      fmt::format("{}: truth '{}' for case '{}', but {} '{}'; expected the same{}{}", csv_.place(),
                  excerpt(text), excerpt(row_.case_name), source, excerpt(classes_.name(*known.id)),
                  of_row ? ", or names of the cases in an array 'cases' of the predictions" : "",
                  purpose_ == Purpose::kContext ? ", or --truth row" : ""));
}

}  // namespace ifd
