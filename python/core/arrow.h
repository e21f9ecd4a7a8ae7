// Tables by the Arrow C stream interface: its three published structs, and no library.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "python/core/bindings.h"

namespace ifd::python {

// The columns of a stream of record batches, read to its end and released once.
struct ArrowTable {
  std::size_t rows = 0;
  std::vector<std::string> numbers;                // names of the columns of numbers
  std::vector<std::vector<float>> values;          // of each, narrowed
  std::optional<std::vector<std::string>> cases;   // of a column of text "case"
  std::optional<std::vector<std::string>> labels;  // likewise "label"
};

// From an object with __arrow_c_stream__. Error(kBadInput) for what is no table of numbers.
ArrowTable read_arrow_stream(const py::object& source);

}  // namespace ifd::python
