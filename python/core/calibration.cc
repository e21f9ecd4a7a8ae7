#include "ifd/policy/calibration.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "ifd/error.h"
#include "python/core/arrays.h"
#include "python/core/long_call.h"

namespace ifd::python {
namespace {

void require_labels(const Predictions& cases) {
  if (cases.size() == 0 || !cases.has_labels()) {
    throw bad_input("cases: there are no labels; expected labelled cases");
  }
}

Calibration fitted(const Predictions& cases, const std::string& kind) {
  require_labels(cases);
  if (kind != "none" && kind != "temperature" && kind != "bias") {
    throw bad_input(fmt::format("kind: '{}'; expected none, temperature or bias", kind));
  }
  const CalibrationKind wanted = kind == "temperature" ? CalibrationKind::kTemperature
                                 : kind == "bias"      ? CalibrationKind::kBias
                                                       : CalibrationKind::kNone;
  return unlocked(cases.all_probabilities().size(), [&] { return fit_calibration(cases, wanted); });
}

Predictions applied(const Calibration& self, const Predictions& cases) {
  if (!self.bias.empty() && self.bias.size() != cases.classes().size()) {
    throw bad_input(fmt::format("cases: {} classes; expected {}, which were calibrated",
                                cases.classes().size(), self.bias.size()));
  }
  return unlocked(cases.all_probabilities().size(), [&] { return calibrated(cases, self); });
}

py::dict quality(const Predictions& cases) {
  require_labels(cases);
  const CalibrationQuality found =
      unlocked(cases.all_probabilities().size(), [&] { return calibration_quality(cases); });
  py::dict told;
  told["log_loss"] = found.log_loss;
  told["ece"] = found.expected_calibration_error;
  return told;
}

}  // namespace

void bind_calibration(py::module_& module) {
  py::class_<Calibration>(module, "Calibration",
                          "Probabilities made to mean what they say: softmax(log p / temperature + "
                          "bias).")
      .def_property_readonly("temperature", [](const Calibration& self) { return 1 / self.scale; })
      .def_property_readonly(
          "bias", [](const Calibration& self) { return as_array(self.bias); },
          "One offset per class, or none at all.")
      .def("__call__", &applied, py::arg("cases"), "The cases with calibrated probabilities.")
      .def(
          "__eq__",
          [](const Calibration& a, const Calibration& b) {
            return a.scale == b.scale && a.bias == b.bias;
          },
          py::is_operator())
      .def(py::pickle(
          [](const Calibration& self) { return py::make_tuple(self.scale, self.bias); },
          [](const py::tuple& state) {
            return Calibration{state[0].cast<double>(), state[1].cast<std::vector<double>>()};
          }))
      .def("__repr__", [](const Calibration& self) {
        return fmt::format("<ifd.Calibration: temperature {:.4g}{}>", 1 / self.scale,
                           self.bias.empty() ? "" : ", with a bias per class");
      });
  module.def(
      "calibrate", &fitted, py::arg("cases"), py::kw_only(), py::arg("kind") = "temperature",
      R"(Fits a calibration on labelled cases: "temperature", or "bias" for an offset per class too.

>>> cases = Predictions([[.9, .1], [.8, .2], [.7, .3]], labels=[0, 1, 0])
>>> calibrate(cases)(cases).proba.shape
(3, 2))");
  module.def("calibration_quality", &quality, py::arg("cases"),
             "Log-loss and expected calibration error on labelled cases.");
}

}  // namespace ifd::python
