// Why a case goes where, in words and numbers.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include "ifd/error.h"
#include "ifd/router/case_story.h"
#include "ifd/router/case_words.h"
#include "python/core/arrays.h"
#include "python/core/long_call.h"
#include "python/core/names.h"
#include "python/core/routes.h"

namespace ifd::python {
namespace {

constexpr std::size_t kMostAnswers = 10'000;

// A case by its row, from the end where that is negative, or by its name.
std::size_t row_of(const Predictions& cases, const py::object& which) {
  if (py::isinstance<py::str>(which)) {
    const auto name = which.cast<std::string>();
    for (std::size_t row = 0; row < cases.size(); ++row) {
      if (cases.case_name(row) == name) return row;
    }
    throw Error(ErrorKind::kNotFound, fmt::format("there is no case '{}'", name));
  }
  const auto index = py::reinterpret_steal<py::object>(PyNumber_Index(which.ptr()));
  if (!index) throw py::error_already_set();
  const auto row = index.cast<long long>();
  const auto count = static_cast<long long>(cases.size());
  if (row < -count || row >= count) {
    throw Error(ErrorKind::kNotFound,
                fmt::format("row {}; expected one of the {} cases, from 0", row, count));
  }
  return static_cast<std::size_t>(row < 0 ? row + count : row);
}

py::dict told(const Explanation& why, const CaseStory& story, const CaseWording& wording) {
  std::vector<double> states, margins;
  std::vector<std::string> experts;
  std::vector<bool> on_duty;
  for (const Explanation::Expert& expert : why.experts) {
    experts.push_back(expert.name);
    margins.push_back(expert.margin);
    on_duty.push_back(expert.on_duty);
    for (const double number : expert.state.numbers()) states.push_back(number);
  }
  py::dict out;
  const std::size_t count = experts.size();
  out["states"] = as_matrix(std::move(states), count, 6);
  out["margins"] = as_array(std::move(margins));
  out["experts"] = experts;
  out["on_duty"] = on_duty;
  out["headline"] = case_headline(story);
  out["model"] = model_sentence(story, wording.classes);
  out["reason"] = reason_sentence(story, wording);
  out["flips_title"] = flips_title(wording);
  out["flips"] = flip_lines(story, wording);
  out["document"] = explanation_json({story}, wording);
  return out;
}

// What capacities make of a case that `told` tells without them; nothing where there are none.
std::string capacities_sentence(const RoutesHandle& self, std::size_t row, const Taker& told) {
  if (self.routes.threshold()) return {};
  const Route& route = self.routes[row];
  if (route.decision() != Decision::kExpert) {
    return told.expert ? "Within the capacities the model keeps it."
                       : "Within the capacities it is the same.";
  }
  const std::string& name = self.routes.expert_name(route);
  if (told.expert == name) return "Within the capacities it is the same.";
  return fmt::format("Within the capacities {} takes it.", name);
}

// An assignment has no threshold that a case could be told by: that of the budget alone has.
Routes without_capacities(const RoutesHandle& self, const LongWork& work) {
  if (self.routes.threshold() || !self.budget) return self.routes;
  const double least = self.routes.least_margin().value_or(kFillBudget);
  return self.router->router.route(self.cases, Budget{*self.budget, least}, work);
}

py::dict explain(const RoutesHandle& self, const py::object& which,
                 const std::optional<double>& budget, std::size_t most_answers) {
  if (!self.router) {
    throw Error(ErrorKind::kConflict,
                "these routes were read from a pickle, without their router; expected "
                "router.explain(cases, i)");
  }
  if (self.router->changes != self.changes) {
    throw Error(ErrorKind::kConflict,
                "the router has learnt since these routes were made; route the cases again");
  }
  if (most_answers > kMostAnswers) {
    throw bad_input(fmt::format("most_answers: {}; expected 0..{}", most_answers, kMostAnswers));
  }
  const std::size_t row = row_of(self.cases, which);
  const Router& router = self.router->router;
  const CaseWording wording{self.cases.classes(),
                            self.router->options.policy,
                            router.expects_gains(),
                            budget,
                            self.routes.least_margin(),
                            self.cases.size(),
                            most_answers};
  StoryOptions options;
  options.most_answers = most_answers;
  std::optional<Explanation> why;
  CaseStory story;
  long_call(kShortWork, py::none(), [&](const LongWork& work) {
    why = router.explain(self.cases, row);
    story = tell_case(router, self.cases, without_capacities(self, work), row, options);
  });
  py::dict out = told(*why, story, wording);
  out["capacities"] = capacities_sentence(self, row, story.taker);
  return out;
}

}  // namespace

void bind_explanation(py::module_& module) {
  module.def("explain", &explain, py::arg("routes"), py::arg("case"), py::arg("budget"),
             py::arg("most_answers"));
}

}  // namespace ifd::python
