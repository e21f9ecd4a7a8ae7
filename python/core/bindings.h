// What the parts of the module _core share: each file binds one noun.
#pragma once

#include <pybind11/pybind11.h>

namespace ifd::python {

namespace py = pybind11;

// Called once each, in this order, when the module is imported.
void bind_errors(py::module_& module);
void bind_predictions(py::module_& module);
void bind_answers(py::module_& module);
void bind_staff(py::module_& module);
void bind_certificate(py::module_& module);
void bind_routes(py::module_& module);
void bind_router(py::module_& module);
void bind_certification(py::module_& module);
void bind_evaluation(py::module_& module);
void bind_policy(py::module_& module);
void bind_calibration(py::module_& module);
void bind_planning(py::module_& module);
void bind_simulation(py::module_& module);
void bind_explanation(py::module_& module);
void bind_watch(py::module_& module);
void bind_combination(py::module_& module);

}  // namespace ifd::python
