// The classes that files of answers speak of, where nobody names them.
#pragma once

#include <span>
#include <string>
#include <utility>

#include "ifd/data/class_names.h"
#include "ifd/data/read_options.h"

namespace ifd {

struct NamedBytes {
  std::string name;  // of the file, for messages
  std::string bytes;
};

// All truths of CSV files with a column `truth` (or `label`), in the order of their first rows.
// Error(kBadInput) where there is no such column, fewer than two truths, or more than kMaxClasses.
ClassNames truth_names(std::span<const NamedBytes> files, const ReadOptions& options = {});

}  // namespace ifd
