// Answers of experts as Python callers have them: tables of columns, or arrays.
#pragma once

#include <string>

#include "ifd/data/answers_file.h"
#include "ifd/data/answers_format.h"
#include "ifd/data/class_names.h"
#include "python/core/bindings.h"

namespace ifd::python {

// What the experts answered on cases, with the truths where they came along.
struct Answers {
  ClassNames classes;
  AnswersFile file;
};

// A table (DataFrame, mapping of columns, list of rows) as the text of a CSV file, which the
// readers of files take from there: what a table means is then the same in both. `name` is for
// messages.
std::string table_as_csv(const py::object& table, const char* argument);

// "given" (or "gold"), "row", "others", "majority"; None, "skip", "wrong"; "names", "numbers".
AnswersFormat answers_format(const std::string& truth, const py::object& blank,
                             const std::string& labels);

// From a table of answers, from Answers, or from a path.
Answers answers_on(const Predictions& cases, const py::object& source, const AnswersFormat& format);

}  // namespace ifd::python
