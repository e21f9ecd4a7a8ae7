#include "ifd/data/answers_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "ifd/data/answer_rows.h"
#include "ifd/data/context_truths.h"
#include "ifd/data/csv.h"
#include "ifd/data/dawid_skene.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/unmatched_cases.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

// Cases of the file that the predictions lack, of which the likely cause is sought.
constexpr std::size_t kUnmatchedShown = 8;

// What stands for an answer outside the classes in the files written here: no blank, which may mean
// that nothing was answered, and no class.
std::string word_for_outside(const ClassNames& classes) {
  std::string word = "(outside)";
  while (classes.find(word)) word = "(" + word + ")";
  return word;
}

void write_row(AtomicFile& file, std::string_view expert, std::string_view case_name,
               const std::string& answer, CsvText text) {
  file.write(csv_field(expert, text) + ',' + csv_field(case_name, text) + ',' +
             csv_field(answer, text));
}

// What was found in the file, once it is read: its layout, blanks, and answers outside the classes.
void note_answers(const AnswerRows& rows, const AnswersFormat& format, const ReadOptions& options) {
  const std::size_t all = rows.answers(), blanks = rows.blanks();
  const std::vector<std::string> experts(rows.experts().begin(), rows.experts().end());
  if (rows.has_column_per_expert()) {
    options.note(fmt::format("{}: one column per expert: {}", rows.name(), list_of_names(experts)));
  }
  if (blanks > 0) {
    const bool skipped = rows.blank_answers() == BlankAnswers::kSkip;
    const char* other = format.blanks ? ""
                        : skipped     ? "; --blank wrong counts them as wrong"
                                      : "; --missing off-duty takes them for not given";
    options.note(fmt::format("{}: {} of {} answers are blank and {}{}", rows.name(), blanks, all,
                             skipped ? "skipped" : "count as wrong", other));
  }
  if (const std::string alike = near_equal_experts_note(experts); !alike.empty()) {
    options.note(fmt::format("{}: {}", rows.name(), alike));
  }
  if (rows.outside() > 0) {
    options.note(fmt::format("{}: {} of {} answers are outside the classes and count as wrong: {}",
                             rows.name(), rows.outside(), all, rows.cells().outside()));
  }
}

// Says what a row without truth needs, where the file has a column 'truth' or not.
using ExpectedTruth = std::string (*)(bool has_truth_column);

std::string truth_or_label(bool has_truth_column) {
  return has_truth_column ? "one in column 'truth' or as a label of the case"
                          : "a column 'truth' or a label of the case, or --truth others";
}

std::string truth_or_names(bool has_truth_column) {
  return fmt::format("{} 'truth', since the predictions only number their cases; or {}",
                     has_truth_column ? "one in column" : "a column", kWaysToTellCasesApart);
}

// All answers of the file but the blanks that are skipped.
std::vector<ContextAnswer> context_answers(AnswerRows& rows) {
  std::vector<ContextAnswer> taken;
  while (rows.next()) {
    const AnswerRow& row = rows.row();
    if (row.answer.is_missing() && rows.blank_answers() == BlankAnswers::kSkip) continue;
    const Answer answer = row.answer.is_missing() ? Answer::outside() : row.answer;
    taken.push_back({row.expert_number, row.case_number, row.line, answer, row.truth});
  }
  return taken;
}

// The truths that the file or the labels give. The one of a case may stand in a later row.
void give_truths(std::vector<ContextAnswer>& answers, const AnswerRows& rows,
                 const Predictions* known, ExpectedTruth expected) {
  for (ContextAnswer& answer : answers) {
    if (!answer.truth) answer.truth = rows.truth(answer.case_number);
    if (answer.truth) continue;
    std::string cause;
    if (known != nullptr && known->has_labels() && answer.case_number >= known->size()) {
      const std::string name(rows.case_name(answer.case_number));
      if (const auto likely = unmatched_cases_cause({&name, 1}, *known)) cause = "; " + *likely;
    }
    throw bad_input(fmt::format("{}:{}: no truth for case '{}'; expected {}{}", rows.name(),
                                answer.line, excerpt(rows.case_name(answer.case_number)),
                                expected(rows.has_truth_column()), cause));
  }
}

// Everybody in the order of the file.
std::vector<ExpertContext> contexts_with(const std::vector<ContextAnswer>& answers,
                                         const AnswerRows& rows) {
  std::vector<std::size_t> judged(rows.experts().size(), 0);
  for (const ContextAnswer& answer : answers) judged[answer.expert_number] += answer.truth ? 1 : 0;
  std::vector<ExpertContext> contexts;
  for (std::size_t j = 0; j < judged.size(); ++j) {
    contexts.push_back({std::string(rows.experts()[j]), {}});
    contexts.back().rows.reserve(judged[j]);
  }
  for (const ContextAnswer& answer : answers) {
    ExpertContext& context = contexts[answer.expert_number];
    std::string name(rows.case_name(answer.case_number));
    if (answer.truth) {
      context.rows.push_back({std::move(name), *answer.truth, answer.answer});
    } else {
      context.unjudged.push_back({std::move(name), answer.answer});
    }
  }
  return contexts;
}

// Leaves out those without a single answer, and says who they were.
void leave_out_unknown(std::vector<ExpertContext>& contexts, const AnswerRows& rows,
                       const ReadOptions& options) {
  std::vector<std::string> without;
  for (std::size_t j = 0; j < contexts.size(); ++j) {
    if (contexts[j].rows.empty()) without.emplace_back(rows.experts()[j]);
  }
  if (without.empty()) return;
  options.note(fmt::format("{}: left out, for lack of an answer that counts: {}", rows.name(),
                           list_of_names(without)));
  std::erase_if(contexts, [](const ExpertContext& context) { return context.rows.empty(); });
}

// For a context that says nothing of anybody. `taken` are the answers that are no skipped blanks.
Error no_context(const AnswerRows& rows, std::size_t taken) {
  if (rows.answers() == 0) {
    return bad_input(rows.name() + ": no rows; expected at least one answer");
  }
  return bad_input(fmt::format(
      "{}: none of the {} answers counts ({} blank, {} without a truth); expected at least one",
      rows.name(), rows.answers(), rows.answers() - taken, taken));
}

// Says beforehand that truths take long to estimate.
void note_long_estimate(const std::vector<ContextAnswer>& answers, const ClassNames& classes,
                        const AnswerRows& rows, const ReadOptions& options) {
  constexpr std::size_t kMuch = 100'000'000;
  if (answers.size() <= kMuch / classes.size()) return;
  options.note(fmt::format(
      "{}: estimating truths: up to {} iterations over {} answers x {} classes", rows.name(),
      DawidSkeneOptions().most_iterations, answers.size(), classes.size()));
}

std::vector<ExpertContext> contexts_of(AnswerRows& rows, const ClassNames& classes,
                                       const Predictions* known, const AnswersFormat& format,
                                       const ReadOptions& options, ExpectedTruth expected) {
  std::vector<ContextAnswer> answers = context_answers(rows);
  std::string truths;
  if (!is_computed(format.truth)) {
    give_truths(answers, rows, known, expected);
  } else {
    if (format.truth == TruthKind::kDawidSkene) note_long_estimate(answers, classes, rows, options);
    try {
      truths =
          compute_truths(answers, rows.cases(), classes.size(), format.truth).summary(format.truth);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}: {}", rows.name(), error.what()));
    }
    if (rows.has_truth_column()) truths += "; the truths in the file are not used";
  }
  std::vector<ExpertContext> contexts = contexts_with(answers, rows);
  const bool any = std::any_of(contexts.begin(), contexts.end(),
                               [](const ExpertContext& one) { return !one.rows.empty(); });
  if (!any && !format.may_be_empty) throw no_context(rows, answers.size());
  note_answers(rows, format, options);
  if (!truths.empty()) options.note(fmt::format("{}: {}", rows.name(), truths));
  leave_out_unknown(contexts, rows, options);
  return contexts;
}

// For a file without a single answer on the cases.
Error no_answers(const AnswerRows& rows, std::size_t unused, const std::string& unused_hint) {
  if (rows.answers() == 0) {
    return bad_input(rows.name() + ": no rows; expected at least one answer");
  }
  if (unused == 0) {
    return bad_input(fmt::format("{}: all {} answers are blank; expected at least one answer",
                                 rows.name(), rows.answers()));
  }
  return bad_input(
      fmt::format("{}: none of the {} answers is on a case of the predictions: {}; expected the "
                  "same names",
                  rows.name(), unused, unused_hint));
}

}  // namespace

std::vector<ExpertContext> contexts_from_bytes(std::string bytes, const std::string& name,
                                               const ClassNames& classes,
                                               const Predictions* labelled,
                                               const ReadOptions& options,
                                               const AnswersFormat& format) {
  AnswerRows rows(std::move(bytes), name, classes, labelled, AnswerRows::Purpose::kContext, format,
                  options);
  return contexts_of(rows, classes, labelled, format, options, truth_or_label);
}

std::vector<ExpertContext> read_contexts(const std::filesystem::path& path,
                                         const ClassNames& classes, const Predictions* labelled,
                                         const ReadOptions& options, const AnswersFormat& format) {
  FileContents file = read_contents(path, options.limits);
  return contexts_from_bytes(std::move(file.bytes), source_name(path), classes, labelled,
                             ReadOptions(file.limits, options.sink), format);
}

std::vector<ExpertContext> contexts_beside_from_bytes(std::string bytes, const std::string& name,
                                                      const Predictions& decided,
                                                      const ReadOptions& options,
                                                      const AnswersFormat& format) {
  const bool numbered = decided.numbers_its_cases();
  AnswerRows rows(std::move(bytes), name, decided.classes(), numbered ? nullptr : &decided,
                  AnswerRows::Purpose::kContext, format, options);
  return contexts_of(rows, decided.classes(), numbered ? nullptr : &decided, format, options,
                     numbered ? truth_or_names : truth_or_label);
}

std::vector<ExpertContext> read_contexts_beside(const std::filesystem::path& path,
                                                const Predictions& decided,
                                                const ReadOptions& options,
                                                const AnswersFormat& format) {
  FileContents file = read_contents(path, options.limits);
  return contexts_beside_from_bytes(std::move(file.bytes), source_name(path), decided,
                                    ReadOptions(file.limits, options.sink), format);
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
                               const AnswersFormat& format) {
  struct Cell {
    std::size_t row;
    std::size_t expert;
    Answer answer;
  };
  AnswerRows rows(std::move(bytes), name, predictions.classes(), &predictions,
                  AnswerRows::Purpose::kEvaluation, format, options);
  NameNumbers experts;
  std::vector<Cell> cells;
  std::vector<std::string> unmatched;  // a few
  std::size_t unused = 0;
  std::size_t outside = 0;
  while (rows.next()) {
    const AnswerRow& row = rows.row();
    if (row.case_number >= predictions.size()) {
      ++unused;
      const bool another = unmatched.empty() || unmatched.back() != row.case_name;
      if (another && unmatched.size() < kUnmatchedShown) unmatched.emplace_back(row.case_name);
      continue;
    }
    if (row.answer.is_missing() && rows.blank_answers() == BlankAnswers::kSkip) continue;
    const Answer answer = row.answer.is_missing() ? Answer::outside() : row.answer;
    cells.push_back({row.case_number, experts.number(row.expert), answer});
    outside += answer.is_outside() ? 1 : 0;
  }
  const std::string hint = unmatched.empty() ? "" : unmatched_cases_hint(unmatched, predictions);
  if (cells.empty()) throw no_answers(rows, unused, hint);
  note_answers(rows, format, options);
  std::vector<std::string> expert_names(experts.names().begin(), experts.names().end());
  rows.take_table(expert_names.size(), predictions.size());
  AnswersFile file{
      AnswerTable(std::move(expert_names), predictions.size()), {}, unused, outside, hint};
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
  FileContents file = read_contents(path, options.limits);
  return answers_from_bytes(std::move(file.bytes), source_name(path), predictions,
                            ReadOptions(file.limits, options.sink), format);
}

void write_contexts(const std::filesystem::path& path, std::span<const ExpertContext> contexts,
                    const ClassNames& classes, CsvText text) {
  AtomicFile file(path);
  file.write("expert,case,answer,truth\n");
  const std::string outside = word_for_outside(classes);
  for (const ExpertContext& context : contexts) {
    for (const ContextRow& row : context.rows) {
      write_row(file, context.expert, row.case_name,
                row.answer.is_outside() ? outside : classes.name(row.answer.as_class()), text);
      file.write(',' + csv_field(classes.name(row.truth), text) + '\n');
    }
  }
  file.commit();
}

void write_answers(const std::filesystem::path& path, const AnswerTable& table,
                   const Predictions& predictions, CsvText text) {
  if (table.cases() != predictions.size()) {
    throw bad_input(fmt::format("answers on {} cases; expected a row for each of the {}",
                                table.cases(), predictions.size()));
  }
  AtomicFile file(path);
  file.write(predictions.has_labels() ? "expert,case,answer,truth\n" : "expert,case,answer\n");
  const std::string outside = word_for_outside(predictions.classes());
  // Expert by expert, so that reading finds the experts in the order of the table.
  for (std::size_t expert = 0; expert < table.experts(); ++expert) {
    for (std::size_t row = 0; row < table.cases(); ++row) {
      const Answer answer = table.at(case_id(row), expert_id(expert));
      if (answer.is_missing()) continue;
      write_row(file, table.expert_names()[expert], predictions.case_name(row),
                answer.is_outside() ? outside : predictions.classes().name(answer.as_class()),
                text);
      if (predictions.has_labels()) {
        file.write(',' + csv_field(predictions.classes().name(predictions.label(row)), text));
      }
      file.write("\n");
    }
  }
  file.commit();
}

}  // namespace ifd
