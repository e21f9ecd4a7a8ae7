// Experts' answers in files: CSV with a row per answer (the columns `expert`, `case`, `answer` and
// maybe `truth`; others are ignored) or a row per case (`case`, maybe `truth` or `label`, and a
// column per expert); answer_rows.h says which is which.
//
// Experts keep the order of their first row, or of their columns. An answer that is not a class is
// Answer::outside(). A blank one (answer_cells.h) is skipped in contexts and outside in answers, in
// either layout, unless the format says otherwise. A blank truth counts as no truth. The same
// expert on the same case twice is an error, and so are two truths that disagree. Notes tell the
// layout, and how many answers are blank, or outside, and which.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/answers_format.h"
#include "ifd/data/class_names.h"
#include "ifd/data/csv_text.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_options.h"

namespace ifd {

// Contexts: every row needs a truth, its own or the label that `labelled` (may be null) has for a
// case of that name; or truths are computed, as the format says, and rows without one are left out.
// Experts without a row that counts are left out too, and noted.
std::vector<ExpertContext> read_contexts(const std::filesystem::path& path,
                                         const ClassNames& classes,
                                         const Predictions* labelled = nullptr,
                                         const ReadOptions& options = {},
                                         const AnswersFormat& format = {});
std::vector<ExpertContext> contexts_from_bytes(std::string bytes, const std::string& name,
                                               const ClassNames& classes,
                                               const Predictions* labelled = nullptr,
                                               const ReadOptions& options = {},
                                               const AnswersFormat& format = {});

// Contexts that come with no predictions of their own, beside the cases to decide on: one name is
// one case, so a case to decide on that is in the context too must have its truth as a label.
//
// Row numbers are not names: row 7 of the file that a context was made from is another case than
// row 7 to decide on. Where `decided` numbers its cases, none of them is looked up, and every row
// needs a truth in the file.
std::vector<ExpertContext> read_contexts_beside(const std::filesystem::path& path,
                                                const Predictions& decided,
                                                const ReadOptions& options = {},
                                                const AnswersFormat& format = {});
std::vector<ExpertContext> contexts_beside_from_bytes(std::string bytes, const std::string& name,
                                                      const Predictions& decided,
                                                      const ReadOptions& options = {},
                                                      const AnswersFormat& format = {});

// What a user can do where the cases to decide on have no names; for messages.
inline constexpr std::string_view kWaysToTellCasesApart =
    "--context-predictions FILE, or an array 'cases' with names in the NPZ";

// For what looks for the context's cases among the cases to decide on, such as a calibration:
// Error(kBadInput) where these only number their rows. `place` is their file.
void require_case_names(const Predictions& decided, const std::string& place);

// How many of the answers are outside the classes.
std::size_t count_outside(std::span<const ExpertContext> contexts);

struct AnswersFile {
  AnswerTable table;             // rows as in the predictions; experts with a row on one of them
  std::vector<ClassId> truths;   // one per case where all are known, by file or label; else empty
  std::size_t unused = 0;        // answers on cases that the predictions lack
  std::size_t outside = 0;       // answers in the table that are outside the classes
  std::string unused_hint = {};  // where some are unused: such a case, and the likely cause
};

// The answers on the cases of the predictions. At least one row must be on one of them.
AnswersFile read_answers(const std::filesystem::path& path, const Predictions& predictions,
                         const ReadOptions& options = {}, const AnswersFormat& format = {});
AnswersFile answers_from_bytes(std::string bytes, const std::string& name,
                               const Predictions& predictions, const ReadOptions& options = {},
                               const AnswersFormat& format = {});

// An answer outside the classes is written as (outside), which is not a blank.
void write_contexts(const std::filesystem::path& path, std::span<const ExpertContext> contexts,
                    const ClassNames& classes, CsvText text = CsvText::kExact);
// With a truth column where the predictions have labels; missing answers have no row. The table has
// a row for each of the predictions' cases (Error(kBadInput)).
void write_answers(const std::filesystem::path& path, const AnswerTable& table,
                   const Predictions& predictions, CsvText text = CsvText::kExact);

}  // namespace ifd
