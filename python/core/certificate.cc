// Promises: a threshold that keeps an error with a stated confidence.
#include "ifd/certificate/certificate.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "ifd/error.h"
#include "ifd/router/certify.h"
#include "python/core/answers.h"
#include "python/core/long_call.h"
#include "python/core/names.h"
#include "python/core/numbers.h"
#include "python/core/router.h"

namespace ifd::python {
namespace {

std::optional<CalendarDate> day_of(const py::object& day, const char* argument) {
  if (day.is_none()) return {};
  // A date, or its text.
  const py::object text = py::hasattr(day, "isoformat") ? day.attr("isoformat")() : day;
  try {
    return CalendarDate::parse(name_of(text));
  } catch (const Error& error) {
    throw bad_input(fmt::format("{}: {}", argument, error.what()));
  }
}

py::object day_told(const std::optional<CalendarDate>& day) {
  if (!day) return py::none();
  return py::module_::import("datetime").attr("date").attr("fromisoformat")(day->text());
}

py::object promises(const Certificate& self) {
  return py::module_::import("json").attr("loads")(self.to_json())["promises"];
}

CertificateRequest request_of(const py::dict& asked, std::size_t cases) {
  CertificateRequest request;
  request.error = number_or_none(asked["error"], "error");
  if (const py::object classes = asked["class_errors"]; !classes.is_none()) {
    for (const auto& [name, limit] : py::dict(classes)) {
      request.class_errors[name_of(name)] = number_of(limit, "class_errors");
    }
  }
  request.cost = number_or_none(asked["cost"], "cost");
  request.confidence = number_of(asked["confidence"], "confidence");
  request.subgroup_error = number_or_none(asked["subgroup_error"], "subgroup_error");
  if (const py::object subgroups = asked["subgroups"]; !subgroups.is_none()) {
    NamedGroups read = groups_of(subgroups, cases, "subgroups");
    request.subgroups = Subgroups{std::move(read.of_case), std::move(read.names)};
  }
  request.groups = groups_of(asked["groups"], cases, "groups").of_case;
  request.independent_cases = asked["independent_cases"].cast<bool>();
  request.most_deferred = number_or_none(asked["most_deferred"], "most_deferred");
  request.date = day_of(asked["date"], "date");
  request.expires = day_of(asked["expires"], "expires");
  return request;
}

// (certificate or None, why there is none, notes)
py::tuple certify_with(const std::shared_ptr<RouterHandle>& router, const Predictions& cases,
                       const py::object& answers, const py::dict& asked,
                       const py::object& progress) {
  const CertificateRequest request = request_of(asked, cases.size());
  const Answers given =
      answers_on(cases, answers, answers_format("given", asked["blank"], "names"));
  if (!cases.has_labels() && given.file.truths.empty()) {
    throw bad_input(
        "answers: the truth of some cases is not known; expected a 'truth' for every case, or "
        "labels in the predictions");
  }
  const Predictions labelled = cases.has_labels() ? cases : cases.with_labels(given.file.truths);
  Certification found;
  long_call(kShortWork, progress, [&](const LongWork& work) {
    found = certify(router->router, labelled, given.file.table, request, work);
  });
  return py::make_tuple(found.certificate ? py::cast(*found.certificate) : py::object(py::none()),
                        found.why, found.notes);
}

}  // namespace

void bind_certificate(py::module_& module) {
  py::class_<Certificate>(module, "Certificate",
                          R"(A threshold with what is promised of it, and for whom it holds.

Made by ifd.certify() or read from a file of `ifd certify`; Router.route(certificate=...) takes it.)")
      .def_readonly("threshold", &Certificate::threshold,
                    "-inf: everything is deferred; inf: nothing.")
      .def_readonly("confidence", &Certificate::confidence, "That all promises hold.")
      .def_property_readonly("promises", &promises,
                             "Of each promise kind, name, limit, what was measured, on how many.")
      .def_readonly("deferral", &Certificate::deferral, "The share that is deferred.")
      .def_property_readonly(
          "deferral_interval",
          [](const Certificate& self) { return std::pair(self.deferral_low, self.deferral_high); },
          "Where the share lies on other cases, with the same confidence.")
      .def_readonly("cases", &Certificate::cases, "How many the promise was measured on.")
      .def_property_readonly(
          "experts_on_duty",
          [](const Certificate& self) {
            std::vector<std::string> names;
            for (const auto& member : self.scope.roster) {
              if (member.on_duty) names.push_back(member.expert);
            }
            return names;
          },
          "For whom it holds.")
      .def_property_readonly("policy", [](const Certificate& self) { return self.scope.policy; })
      .def_property_readonly("date", [](const Certificate& self) { return day_told(self.date); })
      .def_property_readonly(
          "expires", [](const Certificate& self) { return day_told(self.expires); },
          "The last day on which it holds, or None.")
      .def("to_json", &Certificate::to_json, "The text of its file.")
      .def_static(
          "from_json",
          [](const std::string& text) { return Certificate::from_json(text, "certificate"); },
          py::arg("text"))
      .def(
          "write",
          [](const Certificate& self, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            self.write(path);
          },
          py::arg("path"))
      .def_static(
          "read",
          [](const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            return Certificate::read(path);
          },
          py::arg("path"))
      .def(
          "__eq__",
          [](const Certificate& a, const Certificate& b) { return a.to_json() == b.to_json(); },
          py::is_operator())
      .def("__str__", &certificate_sentence)
      .def("__repr__",
           [](const Certificate& self) {
             return fmt::format("<ifd.Certificate: {}>", certificate_sentence(self));
           })
      .def(py::pickle([](const Certificate& self) { return py::make_tuple(self.to_json()); },
                      [](const py::tuple& state) {
                        if (state.size() != 1) throw bad_input("this is no pickled certificate");
                        return Certificate::from_json(state[0].cast<std::string>(), "certificate");
                      }));
}

void bind_certification(py::module_& module) {
  module.def("certify", &certify_with, py::arg("router").none(false), py::arg("cases"),
             py::arg("answers"), py::arg("asked"), py::arg("progress"));
}

}  // namespace ifd::python
