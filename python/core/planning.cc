// How many answers are enough, and which threshold a stream needs.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "ifd/error.h"
#include "ifd/profile/prior.h"
#include "ifd/profile/sample_size_simulation.h"
#include "ifd/routing/budget.h"
#include "python/core/bindings.h"

namespace ifd::python {
namespace {

py::dict told(const SampleSizePlan& plan) {
  py::dict out;
  out["bound"] = plan.bound;
  out["needed"] = plan.needed;
  out["bound_succeeds"] = plan.bound_succeeds;
  out["needed_succeeds"] = plan.needed_succeeds;
  return out;
}

py::dict plan_peak(const std::vector<double>& accuracies, double delta, std::uint64_t seed) {
  const auto plan = [&] {
    const py::gil_scoped_release release;
    return plan_peak_class(accuracies, delta, seed);
  };
  return told(plan());
}

py::dict plan_prior(double prior_mean, double prior_strength, double accuracy, double tolerance,
                    double delta, std::uint64_t seed) {
  const auto plan = [&] {
    const py::gil_scoped_release release;
    return plan_prior_recovery(prior_with_mean(prior_mean, prior_strength), accuracy, tolerance,
                               delta, seed);
  };
  return told(plan());
}

}  // namespace

void bind_planning(py::module_& module) {
  module.def("plan_peak", &plan_peak, py::arg("accuracies"), py::kw_only(), py::arg("delta") = .05,
             py::arg("seed") = 0,
             R"(Answers per class until an expert's best class is known, but for a chance of delta.

bound: by the paper's proposition; needed: exactly; ..._succeeds: how often in simulation.

>>> plan_peak([.9, .7, .6])["needed"]
26)");
  module.def("plan_prior", &plan_prior, py::kw_only(), py::arg("prior_mean") = .9,
             py::arg("prior_strength") = 30., py::arg("accuracy") = .5, py::arg("tolerance") = .1,
             py::arg("delta") = .05, py::arg("seed") = 0,
             "Answers per class until a wrong prior is overcome, but for a chance of delta.");
  module.def("budget_cases", &budget_cases, py::arg("budget"), py::arg("cases"),
             "How many of the cases a budget allows.");
}

}  // namespace ifd::python
