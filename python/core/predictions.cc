#include "ifd/data/predictions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>

#include "ifd/data/class_order.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "python/core/arrays.h"
#include "python/core/arrow.h"
#include "python/core/long_call.h"
#include "python/core/names.h"

namespace ifd::python {
namespace {

ClassNames classes_of(const py::object& classes, std::size_t columns) {
  if (classes.is_none()) return ClassNames::numbered(columns);
  ClassNames names(names_of(classes, "classes"));
  if (names.size() != columns) {
    throw bad_input(
        fmt::format("classes: {} of them; expected {}, one per column", names.size(), columns));
  }
  return names;
}

// What goes with the numbers, as the caller gave it.
struct Beside {
  py::object classes;
  py::object cases;
  py::object labels;
  py::object features;
};

Predictions made_of(const FloatRows& rows, const Beside& beside) {
  Predictions::View view{classes_of(beside.classes, rows.columns), rows.values, rows.owner};
  if (!beside.cases.is_none()) view.cases = names_of(beside.cases, "cases");
  if (!beside.labels.is_none()) {
    view.labels = ClassReader(view.classes).labels(beside.labels, rows.rows, "labels");
  }
  if (!beside.features.is_none()) {
    const FloatRows features = float_rows(beside.features, "features");
    if (features.rows != rows.rows) {
      throw bad_input(
          fmt::format("features: {} rows; expected {}, one per case", features.rows, rows.rows));
    }
    view.features = features.values;
    view.feature_width = features.columns;
    view.owner =
        std::make_shared<const std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>>(
            rows.owner, features.owner);
  }
  return unlocked(rows.values.size(), [&] { return Predictions::of(std::move(view)); });
}

bool is_data_frame(const py::object& source) {
  return py::hasattr(source, "columns") && py::hasattr(source, "index") &&
         py::hasattr(source, "to_numpy");
}

// The columns of numbers are the classes; `case` and `label` may be columns of text.
Predictions from_arrow(const py::object& source, const Beside& beside) {
  ArrowTable table = read_arrow_stream(source);
  const std::size_t columns = table.numbers.size();
  auto numbers = std::make_shared<std::vector<float>>(table.rows * columns);
  for (std::size_t k = 0; k < columns; ++k) {
    for (std::size_t i = 0; i < table.rows; ++i) (*numbers)[i * columns + k] = table.values[k][i];
    table.values[k] = {};
  }
  Beside known = beside;
  if (known.classes.is_none()) known.classes = py::cast(table.numbers);
  if (known.cases.is_none() && table.cases) known.cases = py::cast(*table.cases);
  if (known.labels.is_none() && table.labels) known.labels = py::cast(*table.labels);
  return made_of({*numbers, table.rows, columns, numbers}, known);
}

Predictions predictions(const py::object& proba, py::object classes, py::object cases,
                        const py::object& labels, const py::object& features) {
  if (py::isinstance<Predictions>(proba)) {
    throw bad_input("proba: these are Predictions already; expected an array, N x K");
  }
  if (py::hasattr(proba, "__arrow_c_stream__") && !is_data_frame(proba)) {
    return from_arrow(proba, {classes, cases, labels, features});
  }
  py::object numbers = proba;
  if (!py::isinstance<py::array>(proba) && is_data_frame(proba)) {
    const py::tuple parts =
        py::module_::import("ifd._tables").attr("predictions_parts")(proba, classes, cases);
    numbers = parts[0];
    classes = parts[1];
    cases = parts[2];
  }
  return made_of(float_rows(numbers, "proba"), {classes, cases, labels, features});
}

Predictions from_logits(const py::object& logits, const py::object& classes,
                        const py::object& cases, const py::object& labels,
                        const py::object& features) {
  const py::array_t<double> rows = double_rows(logits, "logits");
  const std::span<const double> values(rows.data(), static_cast<std::size_t>(rows.size()));
  const auto columns = static_cast<std::size_t>(rows.shape(1));
  auto made = std::make_shared<const std::vector<float>>(
      unlocked(values.size(), [&] { return Predictions::from_logits(values, columns); }));
  return made_of({*made, static_cast<std::size_t>(rows.shape(0)), columns, made},
                 {classes, cases, labels, features});
}

PredictionsFormat format_of(bool logits, bool percent, const std::string& labels) {
  PredictionsFormat format(logits ? ScoreKind::kLogits : ScoreKind::kProbabilities);
  if (percent) format.unit = ProbabilityUnit::kPercent;
  if (labels == "numbers") {
    format.labels = LabelKind::kNumbers;
  } else if (labels != "names") {
    throw bad_input(fmt::format("labels: '{}'; expected names or numbers", labels));
  }
  return format;
}

Predictions predictions_from_file(const std::filesystem::path& path, bool logits, bool percent,
                                  const std::string& labels, const py::object& classes) {
  const PredictionsFormat format = format_of(logits, percent, labels);
  const auto unchanged = [&] {
    const py::gil_scoped_release release;
    return read_predictions(path, format);
  };
  if (classes.is_none()) return unchanged();
  const ClassNames wanted(names_of(classes, "classes"));
  return in_class_order(unchanged(), wanted, path.string());
}

py::array proba(const py::object& self) {
  const auto& cases = self.cast<const Predictions&>();
  const auto rows = static_cast<py::ssize_t>(cases.size());
  const auto columns = static_cast<py::ssize_t>(cases.classes().size());
  constexpr py::ssize_t kSize = sizeof(float);
  return read_only({rows, columns}, {columns * kSize, kSize}, cases.all_probabilities().data(),
                   self);
}

py::object features(const py::object& self) {
  const auto& cases = self.cast<const Predictions&>();
  if (cases.feature_width() == 0) return py::none();
  const auto rows = static_cast<py::ssize_t>(cases.size());
  const auto columns = static_cast<py::ssize_t>(cases.feature_width());
  constexpr py::ssize_t kSize = sizeof(float);
  return read_only({rows, columns}, {columns * kSize, kSize}, cases.all_features().data(), self);
}

py::object labels(const py::object& self) {
  const auto& cases = self.cast<const Predictions&>();
  if (!cases.has_labels()) return py::none();
  return read_only({static_cast<py::ssize_t>(cases.size())}, {sizeof(std::int32_t)},
                   reinterpret_cast<const std::int32_t*>(cases.labels().data()), self);
}

py::array_t<std::int32_t> predicted(const Predictions& cases) {
  std::vector<std::int32_t> top(cases.size());
  unlocked(cases.all_probabilities().size(), [&] {
    for (std::size_t row = 0; row < cases.size(); ++row) {
      top[row] = static_cast<std::int32_t>(top_class(cases.probabilities(row)));
    }
  });
  return as_array(std::move(top));
}

Predictions subset(const Predictions& cases, const py::object& key) {
  const py::array_t<std::int64_t> chosen =
      py::module_::import("ifd._arrays").attr("rows")(cases.size(), key);
  std::vector<std::size_t> rows(chosen.data(), chosen.data() + chosen.size());
  return unlocked(rows.size() * cases.classes().size(), [&] { return cases.subset(rows); });
}

py::tuple predictions_state(const py::object& self) {
  const auto& cases = self.cast<const Predictions&>();
  return py::make_tuple(
      proba(self), cases.classes().names(),
      cases.numbers_its_cases() ? py::object(py::none()) : py::cast(cases.case_names()),
      labels(self), features(self));
}

Predictions predictions_from_state(const py::tuple& state) {
  if (state.size() != 5) throw bad_input("these are no pickled predictions");
  const auto classes = state[1].cast<std::vector<std::string>>();
  const FloatRows rows = float_rows(state[0], "proba");
  Predictions made = made_of(rows, {py::cast(classes), state[2], py::none(), state[4]});
  if (py::object(state[3]).is_none()) return made;
  std::vector<ClassId> ids;
  for (const auto id : state[3].cast<std::vector<std::int32_t>>()) ids.push_back(ClassId{id});
  return made.with_labels(std::move(ids));
}

bool equal_predictions(const Predictions& a, const Predictions& b) {
  return a.classes() == b.classes() && a.size() == b.size() &&
         a.feature_width() == b.feature_width() && a.numbers_its_cases() == b.numbers_its_cases() &&
         std::ranges::equal(a.all_probabilities(), b.all_probabilities()) &&
         std::ranges::equal(a.all_features(), b.all_features()) &&
         a.has_labels() == b.has_labels() && std::ranges::equal(a.labels(), b.labels()) &&
         (a.numbers_its_cases() || a.case_names() == b.case_names());
}

std::string description(const Predictions& cases) {
  std::string text = fmt::format("<ifd.Predictions: {} cases, classes {}", cases.size(),
                                 cases.classes().allowed());
  if (cases.has_labels()) text += ", with labels";
  if (cases.feature_width() > 0) text += fmt::format(", {} features", cases.feature_width());
  return text + ">";
}

}  // namespace

void bind_predictions(py::module_& module) {
  py::class_<Predictions>(module, "Predictions",
                          R"(What a classifier says: class probabilities, one row per case.

Immutable, and cheap to copy: C-contiguous float32 is read where it lies, so do not write to the
array as long as these predictions live.

>>> cases = Predictions([[.7, .3], [.4, .6]], classes=["cat", "dog"], cases=["a", "b"])
>>> cases.predicted
array([0, 1], dtype=int32))")
      .def(py::init(&predictions), py::arg("proba"), py::kw_only(), py::arg("classes") = py::none(),
           py::arg("cases") = py::none(), py::arg("labels") = py::none(),
           py::arg("features") = py::none(),
           "proba: N x K numbers, a DataFrame (its columns are the classes, its index the cases) "
           "or any\nobject that numpy or the Arrow C stream interface can read.")
      .def_static("from_logits", &from_logits, py::arg("logits"), py::kw_only(),
                  py::arg("classes") = py::none(), py::arg("cases") = py::none(),
                  py::arg("labels") = py::none(), py::arg("features") = py::none(),
                  "The softmax of the logits.")
      .def_static("read", &predictions_from_file, py::arg("path"), py::kw_only(),
                  py::arg("logits") = false, py::arg("percent") = false,
                  py::arg("labels") = "names", py::arg("classes") = py::none(),
                  "A file as the command line reads it: CSV, NPZ or .npy; `classes` puts its "
                  "classes in that order.")
      .def(
          "write",
          [](const Predictions& self, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            write_predictions(path, self);
          },
          py::arg("path"), "NPZ where the path ends in .npz, otherwise CSV.")
      .def("__len__", [](const Predictions& self) { return self.size(); })
      .def("__getitem__", &subset, py::arg("rows"),
           "The rows of a slice, an index, an array of indices or of booleans.")
      .def_property_readonly(
          "classes", [](const Predictions& self) { return self.classes().names(); },
          "The names of the classes, in the order of the columns.")
      .def_property_readonly(
          "cases", [](const Predictions& self) { return self.case_names(); },
          "The names of the cases; row numbers where they have none.")
      .def_property_readonly(
          "has_names", [](const Predictions& self) { return !self.numbers_its_cases(); },
          "Whether the cases have names of their own.")
      .def_property_readonly("proba", &proba, "N x K, float32, a read-only window.")
      .def_property_readonly("labels", &labels, "The true classes by number, or None.")
      .def_property_readonly("features", &features, "N x D, float32, a read-only window, or None.")
      .def_property_readonly("predicted", &predicted, "The model's answer on each case, by number.")
      .def(
          "with_labels",
          [](const Predictions& self, const py::object& given) {
            return self.with_labels(
                ClassReader(self.classes()).labels(given, self.size(), "labels"));
          },
          py::arg("labels"), "The same cases with these labels.")
      .def("__eq__", &equal_predictions, py::is_operator())
      .def("__copy__", [](const Predictions& self) { return Predictions(self); })
      .def(
          "__deepcopy__",
          [](const Predictions& self, const py::dict&) { return Predictions(self); },
          py::arg("memo"))
      .def(py::pickle(&predictions_state, &predictions_from_state))
      .def("__repr__", &description);
}

}  // namespace ifd::python
