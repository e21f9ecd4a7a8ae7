#include "python/core/policy.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "ifd/policy/policy_document.h"
#include "python/core/arrays.h"

namespace ifd::python {
namespace {

Policy from_bytes(const std::string& bytes, const std::string& name) {
  return {std::make_shared<const PolicyFile>(PolicyFile::from_bytes(bytes, name))};
}

py::object document(const Policy& self) {
  return py::module_::import("json").attr("loads")(policy_json(*self.file));
}

py::array tensor(const Policy& self, const std::string& name) {
  const Tensor& found = self.file->at(name);
  const std::vector<py::ssize_t> shape(found.shape.begin(), found.shape.end());
  return py::array_t<float>(shape, found.values.data());
}

}  // namespace

void bind_policy(py::module_& module) {
  py::class_<Policy>(module, "Policy",
                     R"(A trained policy: a method's name, how it was made, and its numbers.

Made by ifd.train() or read by ifd.read_policy(); a Router takes it for its policy.)")
      .def_property_readonly(
          "name", [](const Policy& self) { return self.name(); },
          "Where it was read from, or what it is called in an evaluation.")
      .def_property_readonly("method", [](const Policy& self) { return self.file->method; })
      .def_property_readonly(
          "metadata", [](const Policy& self) { return document(self)["metadata"]; },
          "What is known of its making.")
      .def_property_readonly(
          "parameters", [](const Policy& self) { return parameter_count(*self.file); },
          "How many numbers it holds.")
      .def("to_dict", &document, "The document of `ifd policy show --json`.")
      .def("tensor", &tensor, py::arg("name"), "A copy of one of its tensors.")
      .def(
          "save",
          [](const Policy& self, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            self.file->write(path);
          },
          py::arg("path"))
      .def("to_bytes", [](const Policy& self) { return py::bytes(self.file->to_bytes()); })
      .def_static(
          "from_bytes",
          [](const py::bytes& bytes, const std::string& name) {
            return from_bytes(std::string(bytes), name);
          },
          py::arg("bytes"), py::kw_only(), py::arg("name") = "policy")
      .def(
          "__eq__",
          [](const Policy& a, const Policy& b) {
            return a.file == b.file || a.file->to_bytes() == b.file->to_bytes();
          },
          py::is_operator())
      .def("__copy__", [](const Policy& self) { return Policy(self); })
      .def(
          "__deepcopy__", [](const Policy& self, const py::dict&) { return Policy(self); },
          py::arg("memo"))
      .def(py::pickle(
          [](const Policy& self) {
            return py::make_tuple(py::bytes(self.file->to_bytes()), self.name());
          },
          [](const py::tuple& state) {
            return from_bytes(state[0].cast<std::string>(), state[1].cast<std::string>());
          }))
      .def("__repr__", [](const Policy& self) {
        return fmt::format("<ifd.Policy: {}, {} parameters>", self.file->method,
                           parameter_count(*self.file));
      });
  module.def(
      "read_policy",
      [](const std::filesystem::path& path) {
        const py::gil_scoped_release release;
        return Policy{std::make_shared<const PolicyFile>(PolicyFile::read(path))};
      },
      py::arg("path"), "Reads a policy file: what it is, how and from what it was made.");
}

}  // namespace ifd::python
