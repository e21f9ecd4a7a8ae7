// Predictions in files: CSV or NPZ.
//
// CSV: a column `case`, maybe a column `label` (class names), and one column per class; the header
// names the classes.
// NPZ, recognised by its first bytes: `probabilities` or `logits` (N x K), maybe `labels` (N or
// N x 1; class numbers or names), `features` (N x D), `classes` (K names), `cases` (N names). Where
// they are missing, cases and classes go by their numbers from 0.
// .npy, likewise: one array N x K, cases and classes by their numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ifd/data/csv_text.h"
#include "ifd/data/label_kind.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_options.h"

namespace ifd {

// What the numbers of a CSV or .npy file are; an NPZ file says it itself.
enum class ScoreKind { kProbabilities, kLogits };

// Probabilities in all formats: of 1, or of 100.
enum class ProbabilityUnit { kShares, kPercent };

// How to read what a file does not say itself.
struct PredictionsFormat {
  PredictionsFormat(ScoreKind kind = ScoreKind::kProbabilities) : scores(kind) {}

  ScoreKind scores;
  ProbabilityUnit unit = ProbabilityUnit::kShares;
  LabelKind labels = LabelKind::kNames;  // of CSV, and of text in an NPZ
  std::string group_column = {};         // of CSV: no class, but tells which cases belong together
};

// Errors name the file and its line (CSV) or its row from 0 (NPZ). Blanks around the names of cases
// and classes are left out.
Predictions read_predictions(const std::filesystem::path& path,
                             const PredictionsFormat& format = {}, const ReadOptions& options = {});
Predictions predictions_from_bytes(std::string bytes, const std::string& name,
                                   const PredictionsFormat& format = {},
                                   const ReadOptions& options = {});

// With the group of each case (its patient, its recording), numbered 0..G-1 as they first appear.
// No groups where the format names no such column or the file has none, as NPZ never has.
struct GroupedPredictions {
  Predictions cases;
  std::vector<std::uint32_t> groups = {};
};
GroupedPredictions read_grouped_predictions(const std::filesystem::path& path,
                                            const PredictionsFormat& format,
                                            const ReadOptions& options = {});
GroupedPredictions grouped_predictions_from_bytes(std::string bytes, const std::string& name,
                                                  const PredictionsFormat& format,
                                                  const ReadOptions& options = {});

// NPZ where the path ends in .npz, otherwise CSV. Reading gives the same predictions bit for bit,
// except that CSV has no place for features and leaves them out, that `text` may change names, and
// that names with blanks around them lose these.
void write_predictions(const std::filesystem::path& path, const Predictions& predictions,
                       CsvText text = CsvText::kExact);

}  // namespace ifd
