// Has somebody changed: a watch over two tables, and one that is fed answer by answer.
#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <mutex>
#include <nlohmann/json.hpp>

#include "ifd/data/answers_file.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/truth_names.h"
#include "ifd/watch/kept_watch.h"
#include "ifd/watch/watch_report.h"
#include "python/core/answers.h"
#include "python/core/names.h"
#include "python/core/staff.h"

namespace ifd::python {
namespace {

py::object loaded_json(const std::string& json) {
  return py::module_::import("json").attr("loads")(json);
}

NamedBytes bytes_of_table(const py::object& table, const char* argument) {
  if (!py::module_::import("ifd._tables").attr("is_path")(table).cast<bool>()) {
    return {argument, table_as_csv(table, argument)};
  }
  const std::filesystem::path path =
      py::module_::import("os").attr("fspath")(table).cast<std::string>();
  return {source_name(path), read_file(path)};
}

py::object watch_tables(const py::object& old, const py::object& fresh, const py::object& classes,
                        const std::string& truth, const py::object& blank,
                        const std::string& labels, double false_alarms, std::uint64_t seed) {
  const AnswersFormat format = answers_format(truth, blank, labels);
  std::vector<NamedBytes> files = {bytes_of_table(old, "old"), bytes_of_table(fresh, "new")};
  std::optional<ClassNames> named;
  if (!classes.is_none()) named = ClassNames(names_of(classes, "classes"));
  const auto told = [&] {
    const py::gil_scoped_release release;
    const ClassNames names = named ? *named : truth_names(files);
    std::vector<std::vector<ExpertContext>> read;
    for (NamedBytes& file : files) {
      read.push_back(
          contexts_from_bytes(std::move(file.bytes), file.name, names, nullptr, {}, format));
    }
    return watch_json(watch_answers(names, read[0], read[1], {false_alarms, seed}), names);
  };
  return loaded_json(told());
}

// Safe to share among threads, as Staff is.
class WatchHandle {
 public:
  explicit WatchHandle(KeptWatch kept) : kept_(std::move(kept)) {}

  // The classes never change.
  const ClassNames& classes() const { return kept_.classes; }

  // What the answer reveals.
  std::vector<Finding> observe(const std::string& name, const Observation& seen) {
    const std::lock_guard lock(mutex_);
    const std::size_t revealed =
        kept_.watch.observe(name, {seen.case_name, seen.truth, seen.answer});
    std::vector<Finding> all = kept_.watch.findings(name);
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(revealed));
    return all;
  }
  std::vector<Finding> findings() const {
    const std::lock_guard lock(mutex_);
    return kept_.watch.findings();
  }
  std::vector<WatchedExpert> experts() const {
    const std::lock_guard lock(mutex_);
    return kept_.watch.experts();
  }
  KeptWatch copy() const {
    const std::lock_guard lock(mutex_);
    return kept_;
  }

 private:
  mutable std::mutex mutex_;
  KeptWatch kept_;
};

py::object told(const std::vector<Finding>& findings, const ClassNames& classes) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) rows.push_back(finding_json(finding, classes));
  return loaded_json(rows.dump());
}

std::shared_ptr<WatchHandle> watch_staff(const Staff& staff, double false_alarms,
                                         std::uint64_t seed) {
  const RosterState state = staff.copy();
  std::vector<OldAnswers> before;
  for (std::size_t j = 0; j < state.size(); ++j) {
    before.push_back({state.name(expert_id(j)), state.answer_counts(expert_id(j))});
  }
  return std::make_shared<WatchHandle>(
      KeptWatch(state.classes(), Watch(state.classes().size(), before, {}, {false_alarms, seed})));
}

std::shared_ptr<WatchHandle> copied(const WatchHandle& self) {
  const py::gil_scoped_release release;
  return std::make_shared<WatchHandle>(self.copy());
}

py::bytes watch_bytes(const WatchHandle& self) {
  return py::bytes([&] {
    const py::gil_scoped_release release;
    return self.copy().to_bytes();
  }());
}

std::shared_ptr<WatchHandle> watch_from_bytes(const py::bytes& bytes) {
  const std::string given(bytes);
  const py::gil_scoped_release release;
  return std::make_shared<WatchHandle>(KeptWatch::from_bytes(given, "the bytes"));
}

bool equal_watches(const WatchHandle& a, const WatchHandle& b) {
  if (&a == &b) return true;
  const py::gil_scoped_release release;
  return a.copy() == b.copy();
}

std::string description_of_watch(const WatchHandle& self) {
  std::uint64_t answers = 0;
  const std::vector<WatchedExpert> experts = self.experts();
  for (const WatchedExpert& expert : experts) answers += expert.after.of;
  return fmt::format("<ifd.Watch: {} experts, {} new answers, {} found>", experts.size(), answers,
                     self.findings().size());
}

using WatchType = py::class_<WatchHandle, std::shared_ptr<WatchHandle>>;

// Bytes, files, copies, pickles.
void bind_watch_files(WatchType& type) {
  type.def("to_bytes", &watch_bytes, "The bytes of the watch file.")
      .def_static("from_bytes", &watch_from_bytes, py::arg("bytes"))
      .def(
          "save",
          [](const WatchHandle& self, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            self.copy().write(path);
          },
          py::arg("path"), "Writes the watch file, which `ifd watch --state` goes on from.")
      .def_static(
          "load",
          [](const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            return std::make_shared<WatchHandle>(KeptWatch::read(path));
          },
          py::arg("path"), "Reads a watch file, such as one of `ifd watch --state`.")
      .def("__eq__", &equal_watches, py::is_operator())
      .def("copy", &copied)
      .def("__copy__", &copied)
      .def(
          "__deepcopy__", [](const WatchHandle& self, const py::dict&) { return copied(self); },
          py::arg("memo"))
      .def(py::pickle(&watch_bytes, &watch_from_bytes))
      .def("__repr__", &description_of_watch);
}

py::list standings(const WatchHandle& self) {
  py::list rows;
  for (const WatchedExpert& expert : self.experts()) {
    py::dict row;
    row["expert"] = expert.name;
    row["old"] = py::make_tuple(expert.before.right, expert.before.of);
    row["new"] = py::make_tuple(expert.after.right, expert.after.of);
    row["p"] = expert.p;
    rows.append(row);
  }
  return rows;
}

}  // namespace

void bind_watch(py::module_& module) {
  module.def("watch", &watch_tables, py::arg("old"), py::arg("new"), py::kw_only(),
             py::arg("classes") = py::none(), py::arg("truth") = "gold",
             py::arg("blank") = py::none(), py::arg("labels") = "names",
             py::arg("false_alarms") = .05, py::arg("seed") = 0,
             R"(Has somebody changed? The document of `ifd watch --json`.

old, new: past answers, and new ones in the order of time, as Staff.from_answers takes them, each with
its truth. classes: their names; otherwise all truths. false_alarms: how often a watch of people who do not
change may ever find anything, over all experts, classes and tests together.

>>> past = [("ann", f"a{i}", "cat" if i % 2 else "dog", "cat" if i % 2 else "dog") for i in range(80)]
>>> fresh = [("ann", f"b{i}", "dog" if i % 2 else "cat", "cat" if i % 2 else "dog") for i in range(80)]
>>> sorted({found["kind"] for found in watch(past, fresh)["experts"][0]["findings"]})
['coin', 'exchanged', 'worse'])");
  WatchType type(module, "Watch",
                 R"(A watch that is fed answer by answer; `staff` has the answers of before.

>>> staff = Staff.from_answers([("ann", i, "cat", "cat") for i in range(60)], classes=["cat", "dog"])
>>> watch = Watch(staff)
>>> [found["kind"] for i in range(30) for found in watch.observe("ann", answer="dog", truth="cat")]
['worse', 'worse'])");
  type.def(py::init(&watch_staff), py::arg("staff"), py::kw_only(), py::arg("false_alarms") = .05,
           py::arg("seed") = 0)
      .def(
          "observe",
          [](WatchHandle& self, const std::string& name, const py::object& answer,
             const py::object& truth, const py::object& case_name) {
            const Observation seen = observation_of(self.classes(), answer, truth, case_name);
            return told(self.observe(name, seen), self.classes());
          },
          py::arg("name"), py::kw_only(), py::arg("answer"), py::arg("truth"),
          py::arg("case") = py::none(),
          "The next answer of an expert; returns what it reveals, mostly nothing.")
      .def_property_readonly(
          "findings", [](const WatchHandle& self) { return told(self.findings(), self.classes()); },
          "All that was found.")
      .def_property_readonly(
          "experts", &standings,
          "How everybody stands: old and new (right, answers), and the least p.");
  bind_watch_files(type);
}

}  // namespace ifd::python
