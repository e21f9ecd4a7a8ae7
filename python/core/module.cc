#include "python/core/bindings.h"

PYBIND11_MODULE(_core, module) {
  module.doc() = "The compiled part of the package ifd; import ifd instead.";
  module.attr("__version__") = IFD_VERSION;
  ifd::python::bind_errors(module);
  ifd::python::bind_predictions(module);
  ifd::python::bind_answers(module);
  ifd::python::bind_staff(module);
  ifd::python::bind_policy(module);
  ifd::python::bind_certificate(module);
  ifd::python::bind_routes(module);
  ifd::python::bind_router(module);
  ifd::python::bind_certification(module);
  ifd::python::bind_evaluation(module);
  ifd::python::bind_explanation(module);
  ifd::python::bind_combination(module);
  ifd::python::bind_calibration(module);
  ifd::python::bind_planning(module);
  ifd::python::bind_simulation(module);
  ifd::python::bind_watch(module);
}
