#include "ifd/experts/simulation.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>

#include "ifd/data/imagenet16h.h"
#include "ifd/error.h"
#include "ifd/experts/annotation_sampling.h"
#include "ifd/experts/cohort.h"
#include "ifd/experts/expert_spec.h"
#include "ifd/experts/fingerprint_findings.h"
#include "ifd/experts/simulation_document.h"
#include "ifd/random/keyed_random.h"
#include "python/core/answers.h"
#include "python/core/arrays.h"
#include "python/core/long_call.h"
#include "python/core/names.h"
#include "python/core/numbers.h"
#include "python/core/staff.h"

namespace ifd::python {
namespace {

py::object loaded(const std::string& json) {
  return py::module_::import("json").attr("loads")(json);
}

void require_labels(const Predictions& cases, const char* argument) {
  if (!cases.has_labels()) {
    throw bad_input(fmt::format("{}: no labels; expected labels to simulate experts", argument));
  }
}

py::dict simulate(const std::vector<std::string>& experts, const Predictions& training,
                  const Predictions& cases, std::size_t per_class, const std::string& split,
                  std::uint64_t seed) {
  require_labels(training, "training");
  require_labels(cases, "cases");
  if (!(training.classes() == cases.classes())) {
    throw bad_input("training: its classes are not those of the cases, in their order");
  }
  std::vector<SimulatedExpert> simulated;
  for (const std::string& word : experts) {
    simulated.push_back(parse_expert(word, cases.classes()));
  }
  for (const auto& [predictions, argument] :
       {std::pair(&training, "training"), std::pair(&cases, "cases")}) {
    if (predictions->feature_width() == 0 && std::ranges::any_of(simulated, needs_features)) {
      throw bad_input(fmt::format(
          "{}: no features; expected them, or only experts of the form NAME=flat:ACC/ACC/...",
          argument));
    }
  }
  std::optional<Simulation> made;
  std::vector<std::size_t> rows;
  std::vector<ExpertContext> contexts;
  std::string report;
  long_call(kShortWork, py::none(), [&](const LongWork&) {
    made = simulate_experts(training, cases, simulated, {seed, split});
    rows = sample_context_rows(training, per_class, Key(seed).with("context"));
    contexts = contexts_from_answers(made->training_answers, training, rows);
    report =
        simulation_json(report_simulation(cases, made->answers, made->accuracies), cases.classes());
  });
  const auto truths = [](const Predictions& of) {
    return std::vector<ClassId>(of.labels().begin(), of.labels().end());
  };
  py::dict out;
  out["answers"] = Answers{cases.classes(), {made->answers, truths(cases)}};
  out["training_answers"] = Answers{training.classes(), {made->training_answers, truths(training)}};
  out["staff"] = std::make_shared<Staff>(RosterState(cases.classes(), std::move(contexts)));
  out["context_predictions"] = training.subset(rows);
  const std::vector<py::ssize_t> shape = {static_cast<py::ssize_t>(cases.size()),
                                          static_cast<py::ssize_t>(made->accuracies.experts),
                                          static_cast<py::ssize_t>(made->accuracies.classes)};
  out["accuracies"] = as_array(std::move(made->accuracies.values)).reshape(shape);
  out["report"] = loaded(report);
  return out;
}

py::tuple cohort(const py::object& classes, std::size_t specialties, std::uint64_t seed) {
  const bool counted = py::isinstance<py::int_>(classes);
  if (counted &&
      (number_of(classes, "classes") < 2 || number_of(classes, "classes") > kMaxClasses)) {
    throw bad_input(fmt::format("classes: expected 2..{} of them", kMaxClasses));
  }
  const ClassNames names = counted ? ClassNames::numbered(classes.cast<std::size_t>())
                                   : ClassNames(names_of(classes, "classes"));
  const Cohort drawn = draw_cohort(names.size(), specialties, seed);
  const auto as_told = [&](const std::vector<ClassId>& ids) {
    py::list told;
    for (const ClassId id : ids) {
      told.append(counted ? py::object(py::int_(index(id))) : py::object(py::str(names.name(id))));
    }
    return told;
  };
  return py::make_tuple(as_told(drawn.id_specialties), as_told(drawn.ood_specialties));
}

py::array_t<std::size_t> context_rows(const Predictions& cases, std::size_t per_class,
                                      std::uint64_t seed) {
  require_labels(cases, "cases");
  return as_array(unlocked(cases.size(), [&] {
    return sample_context_rows(cases, per_class, Key(seed).with("context"));
  }));
}

// From the path of ImageNet-16H's file, or columns participant, image, truth, noise, answer.
AnnotationSet annotations_of(const py::object& source, const py::object& classes) {
  const auto tables = py::module_::import("ifd._tables");
  if (tables.attr("is_path")(source).cast<bool>()) {
    return read_imagenet16h_annotations(
        py::module_::import("os").attr("fspath")(source).cast<std::string>());
  }
  const py::dict columns = tables.attr("annotation_columns")(source);
  const py::list people = columns["participant"], images = columns["image"],
                 truths = columns["truth"], answers = columns["answer"], noise = columns["noise"];
  AnnotationSet set{ClassNames(names_of(classes, "classes")), {}};
  const ClassReader reader(set.classes);
  for (std::size_t i = 0; i < people.size(); ++i) {
    const Answer answer = reader.answer(answers[i], "answer");
    if (answer.is_missing()) continue;
    set.rows.push_back({name_of(people[i]), name_of(images[i]), reader.at(truths[i], "truth"),
                        noise[i].cast<int>(), answer});
  }
  return set;
}

py::object fingerprint(const py::object& annotations, const py::object& classes,
                       std::size_t clusters, std::uint64_t seed, const py::object& progress) {
  AnnotationSet set = annotations_of(annotations, classes);
  std::string told;
  long_call(kShortWork, progress, [&](const LongWork& work) {
    told = fingerprints_json(find_fingerprints(std::move(set), clusters, seed, work));
  });
  return loaded(told);
}

Answers sample(const py::object& annotations, const Predictions& cases, const py::dict& experts,
               int noise, double high, double low, bool filter, std::uint64_t seed) {
  AnnotationSet set = annotations_of(annotations, py::cast(cases.classes().names()));
  const ClassReader reader(set.classes);
  std::vector<SpecialistProfile> specialists;
  for (const auto& [name, specialties] : experts) {
    SpecialistProfile made{name_of(name), {}, high, low};
    for (const std::string& word :
         names_of(py::reinterpret_borrow<py::object>(specialties), "experts")) {
      made.specialties.push_back(reader.at(py::str(word), "experts"));
    }
    specialists.push_back(std::move(made));
  }
  std::optional<SampledAnswers> sampled;
  long_call(kShortWork, py::none(), [&](const LongWork& work) {
    if (filter) set = drop_low_skill(set, Key(seed).with("clusters"), work).kept;
    const int levels[] = {noise};
    sampled = sample_annotations(set, cases.case_names(), levels, specialists, seed).front();
  });
  return {cases.classes(), {std::move(sampled->answers), {}}};
}

}  // namespace

void bind_simulation(py::module_& module) {
  module.def("simulate", &simulate, py::arg("experts"), py::arg("training"), py::arg("cases"),
             py::kw_only(), py::arg("context_per_class"), py::arg("split"), py::arg("seed"));
  module.def("cohort", &cohort, py::arg("classes"), py::arg("specialties"), py::kw_only(),
             py::arg("seed") = 0,
             R"(Draws which classes in-distribution experts are specialised in: (those, the others).

classes: their names, or how many there are.

>>> inside, outside = cohort(7, 3, seed=1)
>>> sorted(inside + outside)
[0, 1, 2, 3, 4, 5, 6])");
  module.def("sample_contexts", &context_rows, py::arg("cases"), py::kw_only(),
             py::arg("per_class") = 15, py::arg("seed") = 0,
             "Rows of so many labelled cases of each class, drawn by their names: those to ask "
             "experts about.");
  module.def(
      "fingerprint", &fingerprint, py::arg("annotations"), py::kw_only(),
      py::arg("classes") = py::none(), py::arg("clusters") = 2, py::arg("seed") = 0,
      py::arg("progress") = py::none(),
      R"(How alike annotators are, and who is of low skill: the document of `ifd experts fingerprint`.

annotations: a table participant, image, truth, answer and maybe noise, with `classes`, or the path
of ImageNet-16H's file.)");
  module.def("sample_annotations", &sample, py::arg("annotations"), py::arg("cases"),
             py::arg("experts"), py::kw_only(), py::arg("noise") = 0, py::arg("high") = .99,
             py::arg("low") = .40, py::arg("filter") = false, py::arg("seed") = 0,
             "Specialists made of real answers: experts maps a name to classes, on which that one "
             "is right\nwith probability `high`, elsewhere with `low`, as far as real answers go.");
}

}  // namespace ifd::python
