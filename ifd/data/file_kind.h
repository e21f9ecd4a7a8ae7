// What a file is, by its first bytes, its columns or its arrays: before anything is done with it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/read_options.h"

namespace ifd {

enum class FileKind {
  kPredictions,             // case,[label,]CLASS,... or `probabilities` or `logits`
  kAnswers,                 // expert,case,answer[,truth]
  kWideAnswers,             // case,[truth,]EXPERT,...
  kPrior,                   // expert,class,mean,strength or expert,class,accuracy,...
  kCapacities,              // expert,capacity
  kCosts,                   // truth,label,cost or truth,label,cost [UNIT]
  kFees,                    // expert,fee or expert,fee [UNIT]
  kGroups,                  // case,group
  kRoutes,                  // case,decision,expert,prediction,margin, as 'ifd route' writes them
  kMargins,                 // `margins`, `experts`, `cases`
  kAccuracies,              // `accuracies`, `experts`, `cases`
  kMedmnist,                // `train_images`, `train_labels`, ...
  kImagenet16hAnswers,      // participant_id,image_name,...
  kImagenet16hPredictions,  // model_name,noise_level,image_name,...
  kPolicy,
  kRoster,
  kWatch,
  kSafetensors,
  kOther,  // anything else
};

// "predictions", "answers of experts", ...: for people.
std::string_view word_for(FileKind kind);

// A column of a table, as it is spelt.
struct ColumnSummary {
  std::string name;
  std::size_t empty = 0;
  std::size_t not_available = 0;            // blank by a word, as NA
  std::optional<double> first_number = {};  // in the first row
  // Of columns that name things (expert, class, answer, truth, group, label): each different text
  // once, in order, as far as there are not too many.
  std::vector<std::string> values = {};
};

struct TableSummary {
  std::vector<ColumnSummary> columns;
  std::size_t rows = 0;
  // Among the first rows one has whole numbers alone, beside its case, that are no probabilities:
  // they sum to neither 1 nor 100.
  bool has_class_numbers = false;

  // By its name, in any letter case.
  const ColumnSummary* find(std::string_view name) const;
};

struct FileSummary {
  FileKind kind = FileKind::kOther;
  std::optional<TableSummary> table = {};  // of text
  std::vector<std::string> arrays = {};    // of an archive: "probabilities 100 x 7 float32"
};

// Bytes with gzip undone. Reads a table to its end, of an archive only what its arrays are. Error
// where text is no table, or an archive is damaged; kOther for what is neither.
FileSummary summarize_file(const std::string& bytes, const std::string& name,
                           const ReadOptions& options = {});

}  // namespace ifd
