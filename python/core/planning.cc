// How many answers are enough, and which threshold a stream needs.
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <unordered_set>

#include "ifd/error.h"
#include "ifd/profile/prior.h"
#include "ifd/profile/sample_size_simulation.h"
#include "ifd/router/onboarding_document.h"
#include "ifd/routing/budget.h"
#include "python/core/bindings.h"
#include "python/core/long_call.h"
#include "python/core/names.h"
#include "python/core/staff.h"

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

py::dict plan_new_expert(const Staff& staff, const Predictions& cases, const py::object& expert,
                         const std::string& by, std::size_t next, double tolerance,
                         std::size_t draws, std::uint64_t seed, unsigned threads) {
  OnboardingQuestion question;
  question.expert = expert.is_none() ? std::string() : name_of(expert);
  question.truth = staff.truth();
  question.options.tolerance = tolerance;
  question.options.draws = draws;
  question.options.seed = seed;
  question.options.threads = std::clamp(threads, 1U, 1024U);
  const auto choice =
      std::ranges::find(kNextCases, by, [](NextCases one) { return word_for(one); });
  if (choice == kNextCases.end()) {
    throw bad_input(fmt::format("by: '{}'; expected as-they-come, balanced or variance", by));
  }
  question.by = *choice;
  const RosterState state = staff.copy();
  if (!(cases.classes() == state.classes())) {
    throw bad_input("cases: the classes are not those of the staff");
  }
  const std::string document = unlocked(kShortWork, [&] {
    std::vector<std::string> off_duty;
    for (std::size_t j = 0; j < state.size(); ++j) {
      if (!state.is_on_duty(expert_id(j))) off_duty.push_back(state.name(expert_id(j)));
    }
    const OnboardingStaff people = OnboardingStaff::around(
        question.expert, {state.names(), state.profiles()}, state.classes().size(), off_duty);
    std::unordered_set<std::string> answered;
    if (const auto own = state.find(question.expert)) {
      for (const ContextRow& row : state.context(*own).rows) answered.insert(row.case_name);
    }
    const OnboardingPlan plan = plan_onboarding(cases, people, question.options);
    const auto rows = next_cases(cases, people, question.by, next, answered, seed);
    return onboarding_json(plan, people, cases, question, rows);
  });
  return py::module_::import("json").attr("loads")(document).cast<py::dict>();
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
  module.def("plan_onboarding", &plan_new_expert, py::arg("staff"), py::arg("cases"), py::kw_only(),
             py::arg("expert") = py::none(), py::arg("by") = "balanced", py::arg("next") = 0,
             py::arg("tolerance") = .005, py::arg("draws") = 200, py::arg("seed") = 0,
             py::arg("threads") = 1,
             R"(How many answers of which classes until a new expert is known well enough.

The document of `ifd plan onboarding --json`, as a dict: experts are drawn from what the staff says of
somebody like them, on the mix of these cases. expert: who is new, or None for somebody without an
answer. next: so many cases to label next, chosen by "balanced", "variance" or "as-they-come".)");
  module.def("budget_cases", &budget_cases, py::arg("budget"), py::arg("cases"),
             "How many of the cases a budget allows.");
}

}  // namespace ifd::python
