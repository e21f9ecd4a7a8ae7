// --truth and --blank, which every command has that reads contexts or answers.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "ifd/data/answers_format.h"

namespace ifd {

struct AnswersFormatOptions {
  std::string truth = "given";
  std::string blank;  // empty: what is usual for the file

  void add_to(CLI::App& command);
  AnswersFormat format(LabelKind labels) const;
};

}  // namespace ifd
