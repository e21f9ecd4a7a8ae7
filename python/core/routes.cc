#include "python/core/routes.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>
#include <cstddef>

#include "ifd/data/file_bytes.h"
#include "ifd/error.h"
#include "ifd/router/routes_csv.h"
#include "python/core/arrays.h"

namespace ifd::python {
namespace {

py::array expert(const py::object& self) {
  const Routes& routes = self.cast<const RoutesHandle&>().routes;
  static_assert(sizeof(ExpertId) == sizeof(std::int32_t));
  const auto* const first = reinterpret_cast<const std::byte*>(routes.begin().base());
  return read_only({static_cast<py::ssize_t>(routes.size())}, {sizeof(Route)},
                   reinterpret_cast<const std::int32_t*>(first + offsetof(Route, expert)), self);
}

py::array margin(const py::object& self) {
  const Routes& routes = self.cast<const RoutesHandle&>().routes;
  const auto* const first = reinterpret_cast<const std::byte*>(routes.begin().base());
  return read_only({static_cast<py::ssize_t>(routes.size())}, {sizeof(Route)},
                   reinterpret_cast<const double*>(first + offsetof(Route, margin)), self);
}

py::array_t<std::int32_t> label(const RoutesHandle& self) {
  std::vector<std::int32_t> labels(self.routes.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<std::int32_t>(self.routes.prediction(i));
  }
  return as_array(std::move(labels));
}

py::array_t<bool> deferred(const RoutesHandle& self) {
  py::array_t<bool> made(static_cast<py::ssize_t>(self.routes.size()));
  std::ranges::transform(self.routes, made.mutable_data(),
                         [](const Route& route) { return route.decision() == Decision::kExpert; });
  return made;
}

py::object calibrated(const RoutesHandle& self) {
  const auto& found = self.routes.calibrated();
  if (!found) return py::none();
  py::dict told;
  told["threshold"] = found->threshold;
  told["calibration_cases"] = found->calibration_cases;
  told["deferred_on_calibration"] = found->deferred_on_calibration;
  told["rate"] = found->rate;
  told["rate_low"] = found->rate_low;
  told["rate_high"] = found->rate_high;
  told["confidence"] = found->confidence;
  return told;
}

// None where there was no alarm.
py::object alarm(const RoutesHandle& self) {
  const auto& watch = self.routes.watch();
  if (!watch || !watch->alarm_after) return py::none();
  return py::make_tuple(*watch->alarm_after, watch->false_alarms);
}

bool equal_routes(const RoutesHandle& a, const RoutesHandle& b) {
  if (a.routes.size() != b.routes.size() || a.routes.experts() != b.routes.experts() ||
      a.routes.threshold() != b.routes.threshold()) {
    return false;
  }
  for (std::size_t i = 0; i < a.routes.size(); ++i) {
    if (!(a.routes[i] == b.routes[i]) || a.routes.prediction(i) != b.routes.prediction(i)) {
      return false;
    }
  }
  return true;
}

py::tuple routes_state(const py::object& self) {
  const auto& held = self.cast<const RoutesHandle&>();
  return py::make_tuple(expert(self).attr("copy")(), margin(self).attr("copy")(), label(held),
                        held.routes.experts(), held.routes.threshold(), held.routes.least_margin(),
                        calibrated(held), held.cases, held.budget, alarm(held));
}

std::optional<StreamWatch> watch_from(const py::object& told) {
  if (told.is_none()) return {};
  const auto [after, false_alarms] = told.cast<std::pair<std::size_t, double>>();
  return StreamWatch{after, false_alarms};
}

std::optional<CalibratedThreshold> calibrated_from(const py::object& told) {
  if (told.is_none()) return {};
  return CalibratedThreshold{told["threshold"].cast<double>(),
                             told["calibration_cases"].cast<std::size_t>(),
                             told["deferred_on_calibration"].cast<std::size_t>(),
                             told["rate"].cast<double>(),
                             told["rate_low"].cast<double>(),
                             told["rate_high"].cast<double>(),
                             told["confidence"].cast<double>()};
}

RoutesHandle routes_from_state(const py::tuple& state) {
  if (state.size() != 10) throw bad_input("these are no pickled routes");
  const auto experts = state[0].cast<py::array_t<std::int64_t, py::array::c_style>>();
  const auto margins = state[1].cast<py::array_t<double, py::array::c_style>>();
  const auto labels = state[2].cast<py::array_t<std::int64_t, py::array::c_style>>();
  auto names = state[3].cast<std::vector<std::string>>();
  const auto cases = state[7].cast<Predictions>();
  const auto count = static_cast<py::ssize_t>(cases.size());
  if (experts.ndim() != 1 || margins.ndim() != 1 || labels.ndim() != 1 || experts.size() != count ||
      margins.size() != count || labels.size() != count) {
    throw bad_input("these are no pickled routes");
  }
  std::vector<Route> routes;
  std::vector<ClassId> predictions;
  for (py::ssize_t i = 0; i < count; ++i) {
    const std::int64_t who = experts.at(i);
    const std::int64_t what = labels.at(i);
    if (who < -1 || who >= static_cast<std::int64_t>(names.size()) || what < 0 ||
        what >= static_cast<std::int64_t>(cases.classes().size())) {
      throw bad_input("these are no pickled routes");
    }
    routes.push_back({static_cast<ExpertId>(who), margins.at(i)});
    predictions.push_back(static_cast<ClassId>(what));
  }
  return {Routes(std::move(routes), std::move(predictions),
                 std::make_shared<const std::vector<std::string>>(std::move(names)),
                 state[4].cast<std::optional<double>>(), state[5].cast<std::optional<double>>(),
                 calibrated_from(state[6]), watch_from(state[9])),
          cases, nullptr};
}

std::string description_of_routes(const RoutesHandle& self) {
  const auto deferred = std::ranges::count_if(
      self.routes, [](const Route& route) { return route.decision() == Decision::kExpert; });
  return fmt::format("<ifd.Routes: {} of {} cases go to an expert>", deferred, self.routes.size());
}

}  // namespace

void bind_routes(py::module_& module) {
  py::class_<RoutesHandle>(module, "Routes", R"(Who answers each case.

expert[i] is the number of an expert in expert_names, or -1 where the model answers.)")
      .def("__len__", [](const RoutesHandle& self) { return self.routes.size(); })
      .def_property_readonly("expert", &expert, "Who takes each case, by number; -1 is the model.")
      .def_property_readonly("margin", &margin,
                             "The margin of who takes the case, or the largest that it had.")
      .def_property_readonly("label", &label, "The model's answer on each case, by number.")
      .def_property_readonly("alarm", &alarm,
                             R"((cases, probability) where the first so many cases do not look like
those of the calibration; cases like them give such an alarm with at most that probability.)")
      .def_property_readonly("deferred", &deferred, "Whether each case goes to an expert.")
      .def_property_readonly("expert_names",
                             [](const RoutesHandle& self) { return self.routes.experts(); })
      .def_property_readonly("classes",
                             [](const RoutesHandle& self) { return self.cases.classes().names(); })
      .def_property_readonly("cases",
                             [](const RoutesHandle& self) { return self.cases.case_names(); })
      .def_property_readonly(
          "predictions", [](const RoutesHandle& self) { return self.cases; },
          "The cases that were routed.")
      .def_property_readonly(
          "threshold", [](const RoutesHandle& self) { return self.routes.threshold(); },
          "Cases with at least this margin go to an expert; None where "
          "capacities decide.")
      .def_property_readonly("least_margin",
                             [](const RoutesHandle& self) { return self.routes.least_margin(); })
      .def_property_readonly("calibrated", &calibrated,
                             "Of a calibrated budget: what to expect of the stream.")
      .def_property_readonly(
          "budget", [](const RoutesHandle& self) { return self.budget; },
          "The budget that was asked for, or None.")
      .def(
          "to_csv",
          [](const RoutesHandle& self, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            AtomicFile file(path);
            write_routes_csv([&](std::string_view line) { file.write(line); }, self.cases,
                             self.routes, CsvText::kExact);
            file.commit();
          },
          py::arg("path"), "Writes the file that `ifd route` writes.")
      .def("__eq__", &equal_routes, py::is_operator())
      .def("__copy__", [](const RoutesHandle& self) { return RoutesHandle(self); })
      .def(
          "__deepcopy__",
          [](const RoutesHandle& self, const py::dict&) { return RoutesHandle(self); },
          py::arg("memo"))
      .def(py::pickle(&routes_state, &routes_from_state))
      .def("__repr__", &description_of_routes);
}

}  // namespace ifd::python
