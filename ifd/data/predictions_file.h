// Predictions in files: CSV or NPZ.
//
// CSV: a column `case`, maybe a column `label` (class names), and one column per class; the header
// names the classes.
// NPZ, recognised by its first bytes: `probabilities` or `logits` (N x K), maybe `labels` (N or
// N x 1; class numbers or names), `features` (N x D), `classes` (K names), `cases` (N names). Where
// they are missing, cases and classes go by their numbers from 0.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "ifd/data/csv_text.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_options.h"

namespace ifd {

// What the numbers of a CSV file are; an NPZ file says it itself.
enum class ScoreKind { kProbabilities, kLogits };

// Errors name the file and its line (CSV) or its row from 0 (NPZ).
Predictions read_predictions(const std::filesystem::path& path,
                             ScoreKind csv_scores = ScoreKind::kProbabilities,
                             const ReadOptions& options = {});
Predictions predictions_from_bytes(std::string bytes, const std::string& name,
                                   ScoreKind csv_scores = ScoreKind::kProbabilities,
                                   const ReadOptions& options = {});

// Predictions with a column that is no class but tells which cases belong together (patients,
// recordings): the group of each case, numbered 0..G-1 as they first appear. No groups where the
// file has no such column, as NPZ never has.
struct GroupedPredictions {
  Predictions cases;
  std::vector<std::uint32_t> groups = {};
};
GroupedPredictions read_grouped_predictions(const std::filesystem::path& path,
                                            const std::string& group_column,
                                            ScoreKind csv_scores = ScoreKind::kProbabilities,
                                            const ReadOptions& options = {});
GroupedPredictions grouped_predictions_from_bytes(std::string bytes, const std::string& name,
                                                  const std::string& group_column,
                                                  ScoreKind csv_scores = ScoreKind::kProbabilities,
                                                  const ReadOptions& options = {});

// NPZ where the path ends in .npz, otherwise CSV. Reading gives the same predictions bit for bit,
// except that CSV has no place for features and leaves them out, and that `text` may change names.
void write_predictions(const std::filesystem::path& path, const Predictions& predictions,
                       CsvText text = CsvText::kExact);

}  // namespace ifd
