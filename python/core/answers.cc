#include "python/core/answers.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "ifd/data/csv.h"
#include "ifd/error.h"
#include "python/core/arrays.h"
#include "python/core/long_call.h"
#include "python/core/names.h"

namespace ifd::python {
namespace {

constexpr std::int16_t kMissingCode = -1;
constexpr std::int16_t kOutsideCode = -2;

std::int16_t code_of(Answer answer) {
  if (answer.is_missing()) return kMissingCode;
  return answer.is_outside() ? kOutsideCode : static_cast<std::int16_t>(answer.as_class());
}

Answers from_array(const py::object& array, const py::object& experts, const Predictions& cases) {
  const py::list rows = py::module_::import("ifd._arrays").attr("answer_rows")(array);
  std::vector<std::string> names = names_of(experts, "experts");
  if (rows.size() != cases.size()) {
    throw bad_input(
        fmt::format("answers: {} rows; expected {}, one per case", rows.size(), cases.size()));
  }
  const std::size_t columns = names.size();
  Answers made{cases.classes(), {AnswerTable(std::move(names), cases.size()), {}}};
  const ClassReader reader(made.classes);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const py::list row = rows[i];
    if (row.size() != columns) {
      throw bad_input(
          fmt::format("answers: {} columns; expected {}, one per expert", row.size(), columns));
    }
    for (std::size_t j = 0; j < columns; ++j) {
      const Answer answer = reader.answer(row[j], "answers");
      if (answer.is_outside()) ++made.file.outside;
      made.file.table.set(case_id(i), expert_id(j), answer);
    }
  }
  return made;
}

py::array_t<std::int16_t> codes(const Answers& answers) {
  const AnswerTable& table = answers.file.table;
  std::vector<std::int16_t> values;
  values.reserve(table.cases() * table.experts());
  for (std::size_t i = 0; i < table.cases(); ++i) {
    for (std::size_t j = 0; j < table.experts(); ++j) {
      values.push_back(code_of(table.at(case_id(i), expert_id(j))));
    }
  }
  return as_matrix(std::move(values), table.cases(), table.experts());
}

std::vector<std::int32_t> truths(const Answers& answers) {
  std::vector<std::int32_t> ids;
  for (const ClassId id : answers.file.truths) ids.push_back(static_cast<std::int32_t>(id));
  return ids;
}

bool equal_answers(const Answers& a, const Answers& b) {
  const AnswerTable& first = a.file.table;
  const AnswerTable& second = b.file.table;
  if (!(a.classes == b.classes) || first.expert_names() != second.expert_names() ||
      first.cases() != second.cases() || a.file.truths != b.file.truths) {
    return false;
  }
  for (std::size_t i = 0; i < first.cases(); ++i) {
    for (std::size_t j = 0; j < first.experts(); ++j) {
      if (first.at(case_id(i), expert_id(j)) != second.at(case_id(i), expert_id(j))) return false;
    }
  }
  return true;
}

py::tuple answers_state(const Answers& self) {
  return py::make_tuple(self.classes.names(), self.file.table.expert_names(), codes(self),
                        truths(self), self.file.unused, self.file.outside, self.file.unused_hint);
}

Answer answer_of(std::int64_t code, std::size_t classes) {
  if (code == kMissingCode) return Answer::missing();
  if (code == kOutsideCode) return Answer::outside();
  if (code < 0 || code >= static_cast<std::int64_t>(classes)) {
    throw bad_input(fmt::format("answers: {} is not a class; expected 0..{}", code, classes - 1));
  }
  return class_id(static_cast<std::size_t>(code));
}

Answers answers_from_state(const py::tuple& state) {
  if (state.size() != 7) throw bad_input("these are no pickled answers");
  ClassNames classes(state[0].cast<std::vector<std::string>>());
  auto experts = state[1].cast<std::vector<std::string>>();
  const auto values = state[2].cast<py::array_t<std::int64_t, py::array::c_style>>();
  const std::size_t columns = experts.size();
  if (values.ndim() != 2 || static_cast<std::size_t>(values.shape(1)) != columns) {
    throw bad_input("these are no pickled answers");
  }
  AnswerTable table(std::move(experts), static_cast<std::size_t>(values.shape(0)));
  for (std::size_t i = 0; i < table.cases(); ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      table.set(case_id(i), expert_id(j), answer_of(values.at(i, j), classes.size()));
    }
  }
  AnswersFile file{std::move(table), {}};
  for (const auto id : state[3].cast<std::vector<std::int64_t>>()) {
    file.truths.push_back(answer_of(id, classes.size()).as_class());
  }
  file.unused = state[4].cast<std::size_t>();
  file.outside = state[5].cast<std::size_t>();
  file.unused_hint = state[6].cast<std::string>();
  return {std::move(classes), std::move(file)};
}

}  // namespace

std::string table_as_csv(const py::object& table, const char* argument) {
  const py::dict columns = py::module_::import("ifd._tables").attr("columns")(table, argument);
  // The separator is said, so that none has to be guessed from names with a semicolon.
  std::string text = "sep=,\n";
  std::vector<py::list> cells;
  for (const auto& [name, values] : columns) {
    if (!cells.empty()) text += ',';
    text += csv_field(name_of(name));
    cells.push_back(py::reinterpret_borrow<py::list>(values));
  }
  const std::size_t rows = cells.empty() ? 0 : cells.front().size();
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cells.size(); ++j) {
      text += j == 0 ? '\n' : ',';
      const py::handle cell = PyList_GET_ITEM(cells[j].ptr(), static_cast<py::ssize_t>(i));
      if (!is_blank(cell)) text += csv_field(name_of(cell));
    }
  }
  return text + "\n";
}

AnswersFormat answers_format(const std::string& truth, const py::object& blank,
                             const std::string& labels) {
  AnswersFormat format;
  bool known = truth == "gold";
  for (const TruthKind kind : kTruthKinds) {
    if (truth != word_for(kind)) continue;
    format.truth = kind;
    known = true;
  }
  if (!known) {
    throw bad_input(
        fmt::format("truth: '{}'; expected gold, row, others, majority or dawid-skene", truth));
  }
  if (!blank.is_none()) {
    const std::string word = name_of(blank);
    if (word != "skip" && word != "wrong") {
      throw bad_input(fmt::format("blank: '{}'; expected skip or wrong", word));
    }
    format.blanks = word == "skip" ? BlankAnswers::kSkip : BlankAnswers::kWrong;
  }
  if (labels != "names" && labels != "numbers") {
    throw bad_input(fmt::format("labels: '{}'; expected names or numbers", labels));
  }
  if (labels == "numbers") format.labels = LabelKind::kNumbers;
  return format;
}

Answers answers_on(const Predictions& cases, const py::object& source,
                   const AnswersFormat& format) {
  if (py::isinstance<Answers>(source)) return source.cast<Answers>();
  if (py::module_::import("ifd._tables").attr("is_path")(source).cast<bool>()) {
    const auto path = py::module_::import("os").attr("fspath")(source).cast<std::string>();
    const py::gil_scoped_release release;
    return {cases.classes(), read_answers(path, cases, {}, format)};
  }
  std::string text = table_as_csv(source, "answers");
  const py::gil_scoped_release release;
  return {cases.classes(), answers_from_bytes(std::move(text), "answers", cases, {}, format)};
}

void bind_answers(py::module_& module) {
  module.def("table_as_csv", &table_as_csv, py::arg("table"), py::arg("argument"));
  py::class_<Answers>(module, "Answers", R"(What experts answered on cases, for an evaluation.

Answers(array, experts=names, cases=cases): an array N x J of class names or numbers, -1 (or None,
NaN) where there is no answer; a text that is no class is an answer outside the classes.

>>> cases = Predictions([[.7, .3], [.4, .6]], classes=["cat", "dog"])
>>> Answers([["cat", "dog"], ["dog", None]], experts=["ann", "bob"], cases=cases).codes
array([[ 0,  1],
       [ 1, -1]], dtype=int16))")
      .def(py::init(&from_array), py::arg("array"), py::kw_only(), py::arg("experts"),
           py::arg("cases"))
      .def_static(
          "from_table",
          [](const py::object& table, const Predictions& cases, const py::object& blank,
             const std::string& labels) {
            return answers_on(cases, table, answers_format("given", blank, labels));
          },
          py::arg("table"), py::kw_only(), py::arg("cases"), py::arg("blank") = py::none(),
          py::arg("labels") = "names",
          "From columns expert, case, answer and maybe truth, or case and a column per expert; a "
          "DataFrame,\na mapping, a list of rows, or the path of a CSV file.")
      .def("__len__", [](const Answers& self) { return self.file.table.cases(); })
      .def_property_readonly("experts",
                             [](const Answers& self) { return self.file.table.expert_names(); })
      .def_property_readonly("classes", [](const Answers& self) { return self.classes.names(); })
      .def_property_readonly("codes", &codes,
                             "N x J: a class by number, -1 no answer, -2 outside the classes.")
      .def_property_readonly(
          "truths",
          [](const Answers& self) -> py::object {
            if (self.file.truths.empty()) return py::none();
            return as_array(truths(self));
          },
          "The true class of each case by number, where all are known.")
      .def_property_readonly(
          "unused", [](const Answers& self) { return self.file.unused; },
          "How many answers were on cases that are not among the predictions.")
      .def_property_readonly(
          "outside", [](const Answers& self) { return self.file.outside; },
          "How many answers are outside the classes.")
      .def(
          "write",
          [](const Answers& self, const std::filesystem::path& path, const Predictions& cases) {
            if (cases.size() != self.file.table.cases() || !(cases.classes() == self.classes)) {
              throw bad_input("cases: these are not those of the answers");
            }
            const py::gil_scoped_release release;
            write_answers(path, self.file.table, cases);
          },
          py::arg("path"), py::kw_only(), py::arg("cases"),
          "Writes the CSV file that the command line reads.")
      .def("__eq__", &equal_answers, py::is_operator())
      .def("__copy__", [](const Answers& self) { return Answers(self); })
      .def(
          "__deepcopy__", [](const Answers& self, const py::dict&) { return Answers(self); },
          py::arg("memo"))
      .def(py::pickle(&answers_state, &answers_from_state))
      .def("__repr__", [](const Answers& self) {
        return fmt::format("<ifd.Answers: {} experts on {} cases>", self.file.table.experts(),
                           self.file.table.cases());
      });
}

}  // namespace ifd::python
