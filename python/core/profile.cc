#include "python/core/profile.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include "ifd/error.h"
#include "python/core/arrays.h"

namespace ifd::python {
namespace {

// One number per class.
template <typename Read>
auto by_class(const Profile& profile, const Read& read) {
  std::vector<decltype(read(profile.profile.at(ClassId{0})))> values;
  for (std::size_t k = 0; k < profile.classes.size(); ++k) {
    values.push_back(read(profile.profile.at(class_id(k))));
  }
  return as_array(std::move(values));
}

py::array_t<double> interval(const Profile& profile, double mass) {
  if (!(mass > 0 && mass <= kMostIntervalMass)) {
    throw bad_input(
        fmt::format("mass: {}; expected more than 0, at most {}", mass, kMostIntervalMass));
  }
  std::vector<double> ends;
  for (std::size_t k = 0; k < profile.classes.size(); ++k) {
    const auto [low, high] = profile.profile.at(class_id(k)).central_interval(mass);
    ends.insert(ends.end(), {low, high});
  }
  return as_matrix(std::move(ends), profile.classes.size(), 2);
}

py::tuple profile_state(const Profile& self) {
  py::list posteriors;
  for (std::size_t k = 0; k < self.classes.size(); ++k) {
    const BetaPosterior& at = self.profile.at(class_id(k));
    posteriors.append(
        py::make_tuple(at.prior().alpha, at.prior().beta, at.answers(), at.correct()));
  }
  return py::make_tuple(self.name, self.classes.names(), posteriors, self.on_duty,
                        self.profile.outside());
}

Profile profile_from_state(const py::tuple& state) {
  using Counts = std::tuple<double, double, std::uint64_t, std::uint64_t>;
  if (state.size() != 5) throw bad_input("this is no pickled profile");
  ClassNames classes(state[1].cast<std::vector<std::string>>());
  const auto counts = state[2].cast<std::vector<Counts>>();
  if (counts.size() != classes.size()) throw bad_input("this is no pickled profile");
  std::vector<BetaPrior> priors;
  for (const auto& [alpha, beta, answers, correct] : counts) priors.push_back({alpha, beta});
  ExpertProfile profile(priors);
  auto outside = state[4].cast<std::uint64_t>();
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto& [alpha, beta, answers, correct] = counts[k];
    if (correct > answers) throw bad_input("this is no pickled profile");
    const std::uint64_t wrong = answers - correct;
    const std::uint64_t wrong_outside = std::min(wrong, outside);
    const ClassId other = class_id(k == 0 ? 1 : 0);
    if (correct > 0)
      profile.observe({.truth = class_id(k), .answer = class_id(k), .count = correct});
    if (wrong_outside > 0)
      profile.observe({.truth = class_id(k), .answer = Answer::outside(), .count = wrong_outside});
    if (wrong > wrong_outside)
      profile.observe({.truth = class_id(k), .answer = other, .count = wrong - wrong_outside});
    outside -= wrong_outside;
  }
  return {state[0].cast<std::string>(), std::move(classes), std::move(profile),
          state[3].cast<bool>()};
}

}  // namespace

void bind_profile(py::module_& module) {
  py::class_<Profile>(module, "Profile",
                      "What is known of one expert: a Beta posterior of the accuracy per class.")
      .def_readonly("name", &Profile::name)
      .def_readonly("on_duty", &Profile::on_duty)
      .def_property_readonly("classes", [](const Profile& self) { return self.classes.names(); })
      .def_property_readonly(
          "mean",
          [](const Profile& self) {
            return by_class(self, [](const BetaPosterior& at) { return at.mean(); });
          },
          "The expected accuracy per class.")
      .def_property_readonly("variance",
                             [](const Profile& self) {
                               return by_class(
                                   self, [](const BetaPosterior& at) { return at.variance(); });
                             })
      .def_property_readonly(
          "posterior",
          [](const Profile& self) {
            return py::make_tuple(
                by_class(self, [](const BetaPosterior& at) { return at.alpha(); }),
                by_class(self, [](const BetaPosterior& at) { return at.beta(); }));
          },
          "alpha and beta of the Beta posterior per class.")
      .def("interval", &interval, py::arg("mass") = .9,
           "K x 2: between which accuracies the expert is with this probability, per class.")
      .def(
          "lower_bound",
          [](const Profile& self, double lcb_width) {
            return by_class(self, [&](const BetaPosterior& at) {
              return at.lower_confidence_bound(lcb_width);
            });
          },
          py::arg("lcb_width") = 1., "The mean less so many standard deviations, at least 0.")
      .def(
          "answers",
          [](const Profile& self) {
            return by_class(self, [](const BetaPosterior& at) { return at.answers(); });
          },
          "How many answers were counted, per class.")
      .def(
          "correct",
          [](const Profile& self) {
            return by_class(self, [](const BetaPosterior& at) { return at.correct(); });
          },
          "How many of them were right, per class.")
      .def_property_readonly(
          "outside", [](const Profile& self) { return self.profile.outside(); },
          "How many answers were outside the classes.")
      .def_property_readonly(
          "average", [](const Profile& self) { return self.profile.average_mean(); },
          "The mean over classes of the expected accuracies.")
      .def(
          "__eq__",
          [](const Profile& a, const Profile& b) {
            return a.name == b.name && a.on_duty == b.on_duty && a.classes == b.classes &&
                   a.profile == b.profile;
          },
          py::is_operator())
      .def("__copy__", [](const Profile& self) { return Profile(self); })
      .def(
          "__deepcopy__", [](const Profile& self, const py::dict&) { return Profile(self); },
          py::arg("memo"))
      .def(py::pickle(&profile_state, &profile_from_state))
      .def("__repr__", [](const Profile& self) {
        return fmt::format("<ifd.Profile: {}, {} answers, mean accuracy {:.3f}>", self.name,
                           self.profile.answers(), self.profile.average_mean());
      });
}

}  // namespace ifd::python
