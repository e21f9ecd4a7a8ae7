// Single numbers of Python callers.
#pragma once

#include <fmt/format.h>

#include <optional>

#include "ifd/error.h"
#include "python/core/bindings.h"

namespace ifd::python {

// Anything that is a number to Python. Error(kBadInput) that names the argument.
inline double number_of(py::handle item, const char* argument) {
  const double value = PyFloat_AsDouble(item.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    throw bad_input(fmt::format("{}: expected a number", argument));
  }
  return value;
}

inline std::optional<double> number_or_none(py::handle item, const char* argument) {
  if (item.is_none()) return {};
  return number_of(item, argument);
}

}  // namespace ifd::python
