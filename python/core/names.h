// Names and classes as Python callers write them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/class_names.h"
#include "ifd/data/groups_file.h"
#include "python/core/bindings.h"

namespace ifd::python {

// A sequence of names: texts, or whatever str() makes texts of. Error(kBadInput) that names the
// argument for what is no sequence, or a single text.
std::vector<std::string> names_of(const py::object& source, const char* argument);

// One name likewise; a float that is a whole number is written as one.
std::string name_of(py::handle item);

// Which of the cases belong together, by anything that has names: numbers 0..G-1 as they first
// appear, and the names. Nothing for None; Error(kBadInput) for another count.
NamedGroups groups_of(const py::object& groups, std::size_t cases, const char* argument);

// None or NaN, which stand for what is not there.
bool is_blank(py::handle item);

// Reads classes: a text is a name, a number is a place from 0, unless some class has a number for
// a name, when all are names. Must not outlive the classes.
class ClassReader {
 public:
  explicit ClassReader(const ClassNames& classes);

  // Nothing where it is not a class.
  std::optional<ClassId> find(py::handle item) const;
  // Error(kBadInput) "labels: 'x' is not a class; expected a, b"
  ClassId at(py::handle item, const char* argument) const;
  // A class, None, NaN, -1 (nothing was answered), or something outside the classes.
  Answer answer(py::handle item, const char* argument) const;
  // One per row. Error(kBadInput) for another count.
  std::vector<ClassId> labels(const py::object& source, std::size_t rows,
                              const char* argument) const;
  bool numbers_are_names() const { return numbers_are_names_; }

 private:
  const ClassNames& classes_;
  bool numbers_are_names_ = false;
};

}  // namespace ifd::python
