// --logits, --percent, --labels and --group, which every command has that reads predictions.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "ifd/data/predictions_file.h"

namespace ifd {

struct PredictionsFormatOptions {
  bool logits = false;
  bool percent = false;
  std::string labels = "names";
  std::string group = {};  // a column that is no class

  void add_to(CLI::App& command);
  PredictionsFormat format() const;
  LabelKind label_kind() const { return format().labels; }
};

}  // namespace ifd
