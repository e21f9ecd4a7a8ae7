#include "python/core/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd::python {
namespace {

bool is_number_word(const std::string& name) {
  const std::size_t sign = name.starts_with('-') ? 1 : 0;
  return name.size() > sign && std::all_of(name.begin() + static_cast<std::ptrdiff_t>(sign),
                                           name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// A new list of the items, which nothing that they do can change. numpy's arrays and pandas'
// columns have tolist(), which gives Python's own numbers and texts.
py::list items_of(const py::object& source, const char* argument) {
  if (py::isinstance<py::str>(source) || py::isinstance<py::bytes>(source) ||
      py::isinstance<py::dict>(source)) {
    throw bad_input(fmt::format("{}: expected a list", argument));
  }
  py::object items = py::hasattr(source, "tolist") ? py::object(source.attr("tolist")()) : source;
  PyObject* const made = PySequence_List(items.ptr());
  if (made == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
    PyErr_Clear();
    throw bad_input(fmt::format("{}: expected a list", argument));
  }
  return py::reinterpret_steal<py::list>(made);
}

// Half a surrogate pair has no UTF-8: UnicodeEncodeError, which is a ValueError.
std::string text_of(py::handle text) {
  Py_ssize_t size = 0;
  const char* const characters = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (characters == nullptr) throw py::error_already_set();
  return {characters, static_cast<std::size_t>(size)};
}

// A whole number, also as a float; booleans do not count.
std::optional<long long> whole_number(py::handle item) {
  if (PyBool_Check(item.ptr())) return {};
  if (PyFloat_Check(item.ptr())) {
    const double value = PyFloat_AS_DOUBLE(item.ptr());
    if (!(std::fabs(value) < 1e15) || value != std::floor(value)) return {};
    return static_cast<long long>(value);
  }
  if (PyIndex_Check(item.ptr()) == 0) return {};
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(item.ptr()));
  if (!index) throw py::error_already_set();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow != 0) return {};
  return value;
}

}  // namespace

std::string name_of(py::handle item) {
  if (PyUnicode_Check(item.ptr())) return text_of(item);
  if (PyBytes_Check(item.ptr())) throw bad_input("a name is bytes; expected text");
  if (const auto number = whole_number(item)) return std::to_string(*number);
  return text_of(py::str(item));
}

NamedGroups groups_of(const py::object& groups, std::size_t cases, const char* argument) {
  if (groups.is_none()) return {};
  NamedGroups made;
  std::unordered_map<std::string, std::uint32_t> numbers;
  for (std::string& name : names_of(groups, argument)) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    const auto [found, is_new] = numbers.try_emplace(name, next);
    made.of_case.push_back(found->second);
    if (is_new) made.names.push_back(std::move(name));
  }
  if (made.of_case.size() != cases) {
    throw bad_input(fmt::format("{}: {} of them; expected {}, one per case", argument,
                                made.of_case.size(), cases));
  }
  return made;
}

bool is_blank(py::handle item) {
  return item.is_none() || (PyFloat_Check(item.ptr()) && std::isnan(PyFloat_AS_DOUBLE(item.ptr())));
}

std::vector<std::string> names_of(const py::object& source, const char* argument) {
  std::vector<std::string> names;
  const py::list items = items_of(source, argument);
  names.reserve(items.size());
  for (const py::handle item : items) names.push_back(name_of(item));
  return names;
}

ClassReader::ClassReader(const ClassNames& classes)
    : classes_(classes), numbers_are_names_(std::ranges::any_of(classes.names(), is_number_word)) {}

std::optional<ClassId> ClassReader::find(py::handle item) const {
  if (!PyUnicode_Check(item.ptr()) && !numbers_are_names_) {
    const auto number = whole_number(item);
    if (!number || *number < 0 || *number >= static_cast<long long>(classes_.size())) return {};
    return class_id(static_cast<std::size_t>(*number));
  }
  return classes_.find(name_of(item));
}

ClassId ClassReader::at(py::handle item, const char* argument) const {
  if (const auto found = find(item)) return *found;
  throw bad_input(fmt::format("{}: '{}' is not a class; expected {}", argument,
                              excerpt(name_of(item)), classes_.allowed()));
}

Answer ClassReader::answer(py::handle item, const char* argument) const {
  if (is_blank(item)) return Answer::missing();
  if (const auto found = find(item)) return *found;
  if (PyUnicode_Check(item.ptr())) return Answer::outside();
  const auto number = whole_number(item);
  if (number == -1) return Answer::missing();
  if (number == -2) return Answer::outside();
  throw bad_input(
      fmt::format("{}: '{}' is not a class; expected {}, or -1 where there is no answer", argument,
                  excerpt(name_of(item)), classes_.allowed()));
}

std::vector<ClassId> ClassReader::labels(const py::object& source, std::size_t rows,
                                         const char* argument) const {
  const py::list items = items_of(source, argument);
  if (items.size() != rows) {
    throw bad_input(
        fmt::format("{}: {} of them; expected {}, one per case", argument, items.size(), rows));
  }
  std::vector<ClassId> labels;
  labels.reserve(rows);
  for (const py::handle item : items) labels.push_back(at(item, argument));
  return labels;
}

}  // namespace ifd::python
