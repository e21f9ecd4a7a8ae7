#include "python/core/staff.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>

#include "ifd/data/answers_file.h"
#include "ifd/error.h"
#include "ifd/experts/agreement.h"
#include "ifd/experts/mistakes.h"
#include "ifd/profile/answer_needs.h"
#include "ifd/profile/prior_table.h"
#include "ifd/profile/staff_prior.h"
#include "python/core/answers.h"
#include "python/core/arrays.h"
#include "python/core/long_call.h"
#include "python/core/names.h"
#include "python/core/profile.h"

namespace ifd::python {
namespace {

PriorTable prior_table(const py::object& priors, const ClassNames& classes) {
  if (priors.is_none()) return {};
  if (py::module_::import("ifd._tables").attr("is_path")(priors).cast<bool>()) {
    return PriorTable::read(py::module_::import("os").attr("fspath")(priors).cast<std::string>(),
                            classes);
  }
  return PriorTable::from_bytes(table_as_csv(priors, "priors"), "priors", classes);
}

std::shared_ptr<Staff> from_answers(const py::object& table, const py::object& classes,
                                    const std::string& truth, const py::object& blank,
                                    const std::string& labels, const py::object& cases,
                                    const py::object& priors, bool prior_only, bool staff_prior,
                                    const std::optional<double>& half_life) {
  const ClassNames names(names_of(classes, "classes"));
  AnswersFormat format = answers_format(truth, blank, labels);
  format.may_be_empty = prior_only;
  const PriorTable believed = prior_table(priors, names);
  const Predictions* const labelled = cases.is_none() ? nullptr : cases.cast<const Predictions*>();
  const PriorOnly joining = prior_only ? PriorOnly::kJoins : PriorOnly::kLeftOut;
  const UnstatedPriors unstated = staff_prior ? UnstatedPriors::kStaff : UnstatedPriors::kUniform;
  if (py::module_::import("ifd._tables").attr("is_path")(table).cast<bool>()) {
    const auto path = py::module_::import("os").attr("fspath")(table).cast<std::string>();
    const py::gil_scoped_release release;
    return std::make_shared<Staff>(
        RosterState(names, read_contexts(path, names, labelled, {}, format), believed, joining,
                    half_life, unstated),
        format.truth);
  }
  std::string text = table_as_csv(table, "answers");
  const py::gil_scoped_release release;
  return std::make_shared<Staff>(
      RosterState(names,
                  contexts_from_bytes(std::move(text), "answers", names, labelled, {}, format),
                  believed, joining, half_life, unstated),
      format.truth);
}

ClassNames classes_of(const Staff& staff) {
  return staff.read([](const RosterState& state) { return state.classes(); });
}

void update(Staff& staff, const std::string& name, const py::object& answer,
            const py::object& truth, const py::object& case_name) {
  const Observation seen = observation_of(classes_of(staff), answer, truth, case_name);
  staff.change([&](RosterState& state) { state.observe(state.at(name), seen); });
}

void forget(Staff& staff, const std::string& name, const py::object& answer,
            const py::object& truth, const py::object& case_name) {
  const Observation seen = observation_of(classes_of(staff), answer, truth, case_name);
  staff.change([&](RosterState& state) { state.forget(state.at(name), seen); });
}

std::vector<std::string> names(const Staff& staff) {
  return staff.read([](const RosterState& state) { return state.names(); });
}

Profile profile_named(const Staff& staff, const std::string& name) {
  return staff.read([&](const RosterState& state) {
    const ExpertId expert = state.at(name);
    return Profile{name, state.classes(), state.profile(expert), state.is_on_duty(expert)};
  });
}

py::dict told(const RaterAgreement& counts) {
  py::dict out;
  out["shared"] = counts.shared;
  out["agreed"] = counts.agreed;
  out["kappa"] = counts.kappa;
  return out;
}

py::dict agreement_of(const Staff& staff, std::size_t least_shared) {
  const RosterState state = staff.copy();
  const std::vector<ExpertContext> contexts = state.contexts();
  AgreementOptions options;
  options.least_shared = least_shared;
  const Agreement found =
      unlocked(kShortWork, [&] { return agreement(contexts, state.classes().size(), options); });
  py::list pairs, others;
  for (const PairAgreement& pair : found.pairs) {
    py::dict row = told(pair.counts);
    row["first"] = contexts[pair.first].expert;
    row["second"] = contexts[pair.second].expert;
    pairs.append(row);
  }
  for (const AgreementWithOthers& one : found.with_others) {
    py::dict row = told(one.counts);
    row["expert"] = contexts[one.expert].expert;
    others.append(row);
  }
  py::dict out;
  out["mean_kappa"] = found.mean_kappa;
  out["pairs"] = pairs;
  out["with_others"] = others;
  out["too_few"] = found.too_few;
  return out;
}

py::list mistakes_of(const Staff& staff, const std::string& name) {
  const RosterState state = staff.copy();
  py::list rows;
  for (const Mistake& mistake : mistakes(state.context(state.at(name)))) {
    py::dict row;
    row["truth"] = state.classes().name(mistake.truth);
    row["answer"] = mistake.answer.is_outside()
                        ? py::object(py::none())
                        : py::str(state.classes().name(mistake.answer.as_class()));
    row["count"] = mistake.count;
    row["of"] = mistake.of;
    rows.append(row);
  }
  return rows;
}

py::dict needs_of(const Staff& staff, std::uint64_t enough, std::size_t most,
                  const std::vector<double>& class_shares) {
  const RosterState state = staff.copy();
  if (!class_shares.empty() && class_shares.size() != state.classes().size()) {
    throw bad_input(fmt::format("class_shares: {} of them; expected {}, one per class",
                                class_shares.size(), state.classes().size()));
  }
  std::vector<ExpertProfile> profiles;
  for (std::size_t j = 0; j < state.size(); ++j) profiles.push_back(state.profile(expert_id(j)));
  const AnswerNeeds found = answer_needs(profiles, class_shares, enough, most);
  py::list first;
  for (const AnswerNeed& need : found.first) {
    py::dict row;
    row["expert"] = state.name(expert_id(need.expert));
    row["class"] = state.classes().name(need.class_id);
    row["answers"] = need.answers;
    row["uncertainty"] = need.uncertainty;
    first.append(row);
  }
  py::dict out;
  out["enough"] = found.enough;
  out["cells"] = found.cells;
  out["first"] = first;
  return out;
}

std::string bytes_of(const Staff& staff) {
  const py::gil_scoped_release release;
  return staff.read([](const RosterState& state) { return state.to_bytes(); });
}

std::shared_ptr<Staff> from_bytes(const std::string& bytes) {
  const py::gil_scoped_release release;
  return std::make_shared<Staff>(RosterState::from_bytes(bytes, "the bytes"));
}

// The bytes of the roster file; with computed truths, beside the word for them.
py::object pickled_staff(const Staff& self) {
  const py::bytes bytes(bytes_of(self));
  if (!is_computed(self.truth())) return bytes;
  return py::make_tuple(bytes, word_for(self.truth()));
}

std::shared_ptr<Staff> unpickled_staff(const py::object& state) {
  if (!py::isinstance<py::tuple>(state)) return from_bytes(state.cast<std::string>());
  const auto parts = state.cast<std::pair<py::bytes, std::string>>();
  return std::make_shared<Staff>(RosterState::from_bytes(std::string(parts.first), "the bytes"),
                                 answers_format(parts.second, py::none(), "names").truth);
}

// After 0, 5 and 20 answers.
py::list outlook_of(const Staff& staff, double interval) {
  const RosterState state = staff.copy();
  py::list rows;
  for (const StaffOutlook& one :
       staff_outlook(StaffPrior(state.profiles()), state.classes().size())) {
    const auto [low, high] = one.any_class.central_interval(interval);
    py::dict row;
    row["answers"] = one.answers;
    row["correct"] = one.correct;
    row["alpha"] = one.any_class.alpha();
    row["beta"] = one.any_class.beta();
    row["mean"] = one.any_class.mean();
    row["low"] = low;
    row["high"] = high;
    rows.append(row);
  }
  return rows;
}

bool equal_staff(const Staff& a, const Staff& b) {
  if (&a == &b) return true;
  const RosterState other = b.copy();
  return a.read([&](const RosterState& state) { return state == other; });
}

std::string description_of_staff(const Staff& staff) {
  return staff.read([](const RosterState& state) {
    return fmt::format("<ifd.Staff: {} experts, classes {}>", state.size(),
                       state.classes().allowed());
  });
}

}  // namespace

std::vector<BetaPrior> priors_of(const py::object& prior, std::size_t classes) {
  if (prior.is_none()) return {};
  try {
    if (py::len(prior) == 2 && !py::hasattr(prior[py::int_(0)], "__len__")) {
      const auto one = prior.cast<std::pair<double, double>>();
      return std::vector<BetaPrior>(classes, {one.first, one.second});
    }
    std::vector<BetaPrior> priors;
    for (const auto& [alpha, beta] : prior.cast<std::vector<std::pair<double, double>>>()) {
      priors.push_back({alpha, beta});
    }
    return priors;
  } catch (const py::cast_error&) {
    throw bad_input("prior: expected a pair (alpha, beta), or one per class");
  }
}

std::vector<BetaPrior> priors_of(const py::object& prior, const RosterState& staff) {
  const std::size_t classes = staff.classes().size();
  if (py::isinstance<py::str>(prior) && prior.cast<std::string>() == "staff") {
    return StaffPrior(staff.profiles()).of_newcomer(std::vector<ClassCount>(classes));
  }
  return priors_of(prior, classes);
}

Observation observation_of(const ClassNames& classes, const py::object& answer,
                           const py::object& truth, const py::object& case_name) {
  const ClassReader reader(classes);
  return {reader.answer(answer, "answer"), reader.at(truth, "truth"),
          case_name.is_none() ? std::string() : name_of(case_name)};
}

namespace {

using StaffType = py::class_<Staff, std::shared_ptr<Staff>>;

// What changes what is known.
void bind_answers_counted(StaffType& type) {
  type.def("update", &update, py::arg("name"), py::kw_only(), py::arg("answer"), py::arg("truth"),
           py::arg("case") = py::none(), "Counts an answer: exact, in any order.")
      .def("forget", &forget, py::arg("name"), py::kw_only(), py::arg("answer"), py::arg("truth"),
           py::arg("case") = py::none(), "Takes back an answer that was counted.")
      .def(
          "add",
          [](Staff& self, const std::string& name, const py::object& prior) {
            const auto priors = priors_of(prior, self.copy());
            self.change([&](RosterState& state) { state.add(name, priors); });
          },
          py::arg("name"), py::kw_only(), py::arg("prior") = py::none(),
          "A new expert, on duty; prior: (alpha, beta), one pair per class, or \"staff\": what the "
          "answers of the others say.")
      .def(
          "remove",
          [](Staff& self, const std::string& name) {
            self.change([&](RosterState& state) { state.remove(state.at(name)); });
          },
          py::arg("name"))
      .def(
          "set_on_duty",
          [](Staff& self, const std::string& name, bool on_duty) {
            self.change([&](RosterState& state) { state.set_on_duty(state.at(name), on_duty); });
          },
          py::arg("name"), py::arg("on_duty"));
}

// Who there is, and what is known of them.
void bind_knowledge(StaffType& type) {
  type.def_property_readonly("names", &names)
      .def_property_readonly("classes", [](const Staff& self) { return classes_of(self).names(); })
      .def("__len__",
           [](const Staff& self) {
             return self.read([](const RosterState& state) { return state.size(); });
           })
      .def("__contains__",
           [](const Staff& self, const py::object& name) {
             if (!py::isinstance<py::str>(name)) return false;
             const auto word = name.cast<std::string>();
             return self.read(
                 [&](const RosterState& state) { return state.find(word).has_value(); });
           })
      .def("__iter__", [](const Staff& self) { return py::iter(py::cast(names(self))); })
      .def("__getitem__", &profile_named, py::arg("name"), "What is known of one expert.")
      .def(
          "agreement", &agreement_of, py::kw_only(), py::arg("least_shared") = 10,
          "How far experts who answered the same named cases agree (Cohen's kappa), weakest first.")
      .def("mistakes", &mistakes_of, py::arg("name"),
           "What an expert takes for what on named cases, the most frequent first.")
      .def("needs", &needs_of, py::kw_only(), py::arg("enough") = 15, py::arg("most") = 10,
           py::arg("class_shares") = std::vector<double>(),
           "Whose answers to which classes are missing most; class_shares: how frequent each is.")
      .def("outlook", &outlook_of, py::kw_only(), py::arg("interval") = .9,
           "What the answers say of somebody new after 0, 5 and 20 answers: the accuracy in a "
           "class\n"
           "without an answer yet.")
      .def_property_readonly(
          "truth", [](const Staff& self) { return word_for(self.truth()); },
          "Where the truths of the answers came from: given, row, others, majority, dawid-skene.");
}

// Bytes, files, copies, pickles.
void bind_staff_files(StaffType& type) {
  type.def(
          "to_bytes", [](const Staff& self) { return py::bytes(bytes_of(self)); },
          "The bytes of the roster file.")
      .def_static(
          "from_bytes", [](const py::bytes& bytes) { return from_bytes(std::string(bytes)); },
          py::arg("bytes"))
      .def(
          "write_answers",
          [](const Staff& self, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            const RosterState state = self.copy();
            write_contexts(path, state.contexts(), state.classes());
          },
          py::arg("path"),
          "Writes the answers on named cases as the CSV that the command line reads.")
      .def(
          "save",
          [](const Staff& self, const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            self.copy().write(path);
          },
          py::arg("path"), "Writes the roster file.")
      .def_static(
          "load",
          [](const std::filesystem::path& path) {
            const py::gil_scoped_release release;
            return std::make_shared<Staff>(RosterState::read(path));
          },
          py::arg("path"), "Reads a roster file.")
      .def("__eq__", &equal_staff, py::is_operator())
      .def("copy",
           [](const Staff& self) { return std::make_shared<Staff>(self.copy(), self.truth()); })
      .def("__copy__",
           [](const Staff& self) { return std::make_shared<Staff>(self.copy(), self.truth()); })
      .def(
          "__deepcopy__",
          [](const Staff& self, const py::dict&) {
            return std::make_shared<Staff>(self.copy(), self.truth());
          },
          py::arg("memo"))
      .def(py::pickle(&pickled_staff, &unpickled_staff))
      .def("__repr__", &description_of_staff);
}

}  // namespace

void bind_staff(py::module_& module) {
  bind_profile(module);
  StaffType type(module, "Staff",
                 R"(The experts, and what is known of each: every answer that was counted.

>>> staff = Staff.from_answers([("ann", "1", "cat", "cat"), ("ann", "2", "cat", "dog")],
...                            classes=["cat", "dog"])
>>> staff.update("ann", answer="dog", truth="dog")
>>> staff["ann"].mean
array([0.66666667, 0.5       ]))");
  type.def(py::init([](const py::object& classes) {
             return std::make_shared<Staff>(RosterState(ClassNames(names_of(classes, "classes"))));
           }),
           py::arg("classes"), "Nobody yet.")
      .def_static(
          "from_answers", &from_answers, py::arg("table"), py::kw_only(), py::arg("classes"),
          py::arg("truth") = "gold", py::arg("blank") = py::none(), py::arg("labels") = "names",
          py::arg("cases") = py::none(), py::arg("priors") = py::none(),
          py::arg("prior_only") = false, py::arg("staff_prior") = false,
          py::arg("half_life") = py::none(),
          R"(From past answers with the truth: columns expert, case, answer, truth (or case, truth and a
column per expert) of a DataFrame, a mapping, a list of rows, or the path of a CSV file.

truth: "gold" (one per case), "row" (each row's own), "others" or "majority" (what most of the other
experts, or of all, answered), "dawid-skene" (the likeliest, with experts as reliable as all answers
make them). blank: "skip" (the default) or "wrong". cases: labelled Predictions
for answers without a truth. priors: a table expert, class, mean, strength (or a path); prior_only
takes in those known from it alone. staff_prior: where priors say nothing, believe of an expert what
the answers of the others say of somebody on this staff. half_life: after so many more answers of the
same expert an answer counts half; rows are then in the order of time.)");
  bind_answers_counted(type);
  bind_knowledge(type);
  bind_staff_files(type);
}

}  // namespace ifd::python
