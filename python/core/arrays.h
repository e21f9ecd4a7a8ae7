// Numbers between numpy and the library: read in place where they lie as the library wants them.
#pragma once

#include <pybind11/numpy.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "python/core/bindings.h"

namespace ifd::python {

// Holds a Python object as long as it lives, and lets go of it under the interpreter's lock,
// whichever thread is the last.
std::shared_ptr<const void> keep(py::object object);

struct FloatRows {
  std::span<const float> values;  // row by row
  std::size_t rows;
  std::size_t columns;
  std::shared_ptr<const void> owner;
};

// Anything that numpy takes for a matrix of numbers. C-contiguous float32 is read in place, all
// else is copied once. Error(kBadInput) that names the argument.
FloatRows float_rows(const py::object& source, const char* argument);

// Rows of doubles, N x J. Error(kBadInput) that names the argument.
py::array_t<double> double_rows(const py::object& source, const char* argument);

// An array that owns what the vector held.
template <typename T>
py::array_t<T> as_array(std::vector<T> values) {
  auto* const moved = new std::vector<T>(std::move(values));
  const py::capsule owner(moved, [](void* held) { delete static_cast<std::vector<T>*>(held); });
  return py::array_t<T>(static_cast<py::ssize_t>(moved->size()), moved->data(), owner);
}

// The same as a matrix.
template <typename T>
py::array_t<T> as_matrix(std::vector<T> values, std::size_t rows, std::size_t columns) {
  auto* const moved = new std::vector<T>(std::move(values));
  const py::capsule owner(moved, [](void* held) { delete static_cast<std::vector<T>*>(held); });
  return py::array_t<T>({rows, columns}, moved->data(), owner);
}

// A window onto memory of `base`, which cannot be written through it.
template <typename T>
py::array_t<T> read_only(std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
                         const T* values, py::handle base) {
  py::array_t<T> made(std::move(shape), std::move(strides), values, base);
  py::detail::array_proxy(made.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  return made;
}

}  // namespace ifd::python
