#include "ifd/evaluation/evaluation.h"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include "ifd/data/file_bytes.h"
#include "ifd/error.h"
#include "ifd/evaluation/evaluated_answers.h"
#include "ifd/evaluation/shown_measure.h"
#include "ifd/evaluation/verdict.h"
#include "ifd/router/evaluation_document.h"
#include "ifd/router/evaluation_page.h"
#include "python/core/answers.h"
#include "python/core/arrays.h"
#include "python/core/long_call.h"
#include "python/core/names.h"
#include "python/core/numbers.h"
#include "python/core/policy.h"
#include "python/core/router.h"

namespace ifd::python {
namespace {

constexpr std::size_t kMostResamples = 1'000'000;
constexpr std::size_t kMostPoints = 1001;  // of a curve

std::vector<double> numbers_of(const py::array_t<double>& rows) {
  return {rows.data(), rows.data() + rows.size()};
}

// A(x | E, y), N x J x K.
std::vector<float> accuracies_of(const py::object& source) {
  if (source.is_none()) return {};
  const auto array = py::array_t<float, py::array::c_style | py::array::forcecast>::ensure(source);
  if (!array || array.ndim() != 3) {
    PyErr_Clear();
    throw bad_input("accuracies: expected an array of numbers, N x J x K");
  }
  return {array.data(), array.data() + array.size()};
}

EvaluationOptions measures_of(const py::dict& asked, const Predictions& cases) {
  EvaluationOptions measures;
  measures.d_min = number_of(asked["d_min"], "d_min");
  measures.d_max = number_of(asked["d_max"], "d_max");
  if (!(measures.d_min >= 0 && measures.d_min < measures.d_max && measures.d_max <= 1)) {
    throw bad_input(fmt::format("d_min {}, d_max {}: expected 0 <= d_min < d_max <= 1",
                                measures.d_min, measures.d_max));
  }
  measures.budgets.clear();
  for (const py::handle budget : asked["budgets"].cast<py::list>()) {
    measures.budgets.push_back(number_of(budget, "budgets"));
  }
  if (asked["fill_budget"].cast<bool>()) measures.least_margin = kFillBudget;
  measures.threshold = number_or_none(asked["threshold"], "threshold");
  const MostCasesByName most = most_cases_of(asked["capacity"]);
  if (!most.empty()) measures.capacities = most;
  const double resamples = number_of(asked["bootstrap"], "bootstrap");
  if (!(resamples >= 0 && resamples <= kMostResamples)) {
    throw bad_input(fmt::format("bootstrap: {}; expected 0..{}", resamples, kMostResamples));
  }
  measures.bootstrap = static_cast<std::size_t>(resamples);
  measures.groups = groups_of(asked["groups"], cases.size(), "groups").of_case;
  measures.accuracies = accuracies_of(asked["accuracies"]);
  if (!py::object(asked["true_probabilities"]).is_none()) {
    measures.true_probabilities = asked["true_probabilities"].cast<Predictions>();
  }
  return measures;
}

RouterEvaluationOptions options_of(const py::dict& asked, const Predictions& cases) {
  RouterEvaluationOptions options;
  options.policies = asked["policies"].cast<std::vector<std::string>>();
  for (const auto& [name, margins] :
       asked["foreign"].cast<std::vector<std::pair<std::string, py::object>>>()) {
    const py::array_t<double> rows = double_rows(margins, name.c_str());
    options.foreign.push_back({name, numbers_of(rows)});
  }
  for (const auto& [name, policy] :
       asked["files"].cast<std::vector<std::pair<std::string, Policy>>>()) {
    options.policy_files[name] = policy.file;
  }
  const auto missing = name_of(asked["missing"]);
  if (missing != "error" && missing != "off-duty") {
    throw bad_input(fmt::format("missing: '{}'; expected error or off-duty", missing));
  }
  if (missing == "off-duty") options.missing = RouterEvaluationOptions::Missing::kOffDuty;
  options.measures = measures_of(asked, cases);
  return options;
}

// What came of an evaluation, with what it takes to tell it: texts and pictures are made when they
// are asked for.
struct ToldEvaluation {
  Router router;  // as it was; what it learns later is not told
  Evaluation result;
  Verdict verdict;
  EvaluationOptions measures;
  std::string call;
};

const PolicyEvaluation& policy_named(const ToldEvaluation& self, const std::string& name) {
  const auto found = std::ranges::find(self.result.policies, name, &PolicyEvaluation::policy);
  if (found != self.result.policies.end()) return *found;
  throw Error(ErrorKind::kNotFound, fmt::format("there is no policy '{}'", name));
}

py::dict curve_of(const ToldEvaluation& self, const std::string& name) {
  const PolicyEvaluation& policy = policy_named(self, name);
  std::vector<double> budgets, system, expert;
  {
    const py::gil_scoped_release release;
    const ShownMeasure shown(self.result);
    for (const CurvePoint& point :
         policy.curve.points(std::min(self.result.cases + 1, kMostPoints))) {
      budgets.push_back(point.budget);
      system.push_back(shown.value(point.system_accuracy));
      expert.push_back(
          shown.value(point.expert_accuracy.value_or(std::numeric_limits<double>::quiet_NaN())));
    }
  }
  py::dict curve;
  curve["budget"] = as_array(std::move(budgets));
  curve["accuracy"] = as_array(std::move(system));
  curve["expert_accuracy"] = as_array(std::move(expert));
  return curve;
}

ToldEvaluation evaluate(const std::shared_ptr<RouterHandle>& router, const Predictions& cases,
                        const py::object& answers, const py::dict& asked,
                        const py::object& progress, const std::string& call) {
  RouterEvaluationOptions options = options_of(asked, cases);
  AnswersFormat format = answers_format("given", asked["blank"], "names");
  if (options.missing == RouterEvaluationOptions::Missing::kOffDuty) {
    format = blanks_are_missing(format);
  }
  const Answers given = answers_on(cases, answers, format);
  Predictions labelled = cases;
  if (!cases.has_labels()) {
    if (given.file.truths.empty()) {
      throw bad_input(
          "answers: the truth of some cases is not known; expected a 'truth' for every case, or "
          "labels in the predictions");
    }
    labelled = cases.with_labels(given.file.truths);
  }
  const auto target = number_or_none(asked["target"], "target");
  if (target && !(*target > 0 && *target <= 1)) {
    throw bad_input(fmt::format("target: {}; expected an accuracy above 0, up to 1", *target));
  }
  std::optional<ToldEvaluation> told;
  long_call(kShortWork, progress, [&](const LongWork& work) {
    options.measures.work = work;
    Router now = router->router.copy();
    Evaluation result = now.evaluate(labelled, given.file.table, options);
    result.outside = given.file.outside;
    Verdict verdict = verdict_on(result, {now.options_calibration().has_value(), target});
    if (std::string warning = wrong_by_blanks(given.file); !warning.empty()) {
      verdict.warnings.push_back(std::move(warning));
    }
    if (std::string warning = computed_truths_warning(router->truth); !warning.empty()) {
      verdict.warnings.push_back(std::move(warning));
    }
    told = ToldEvaluation{std::move(now), std::move(result), std::move(verdict), {}, {}};
  });
  told->measures = std::move(options.measures);
  told->measures.work = {};
  told->measures.seed = router->options.seed;
  // As large as the cases, and told of already.
  told->measures.groups = {};
  told->measures.accuracies = {};
  told->measures.true_probabilities.reset();
  told->call = call;
  return std::move(*told);
}

void bind_told_evaluation(py::module_& module) {
  using Unlocked = py::call_guard<py::gil_scoped_release>;
  py::class_<ToldEvaluation>(module, "ToldEvaluation", "An evaluation, told when it is asked for.")
      .def(
          "document",
          [](const ToldEvaluation& self) {
            return evaluation_json(self.result, self.verdict, self.measures, self.router);
          },
          Unlocked(), "The text of `ifd evaluate --json`.")
      .def(
          "csv",
          [](const ToldEvaluation& self) {
            return evaluation_csv(self.result, self.verdict, CsvText::kExact);
          },
          Unlocked(), "The text of `ifd evaluate --csv`.")
      .def(
          "page",
          [](const ToldEvaluation& self) {
            return evaluation_html(self.result, self.verdict, self.measures, self.router,
                                   self.call);
          },
          Unlocked(), "The page of `ifd evaluate --report`.")
      .def(
          "svg",
          [](const ToldEvaluation& self) {
            return to_standalone_svg(system_accuracy_chart(self.result));
          },
          Unlocked(), "The curves as a picture.")
      .def("curve", &curve_of, py::arg("policy"), "The points of a policy's curve.");
}

}  // namespace

void bind_evaluation(py::module_& module) {
  bind_told_evaluation(module);
  module.def("evaluate", &evaluate, py::arg("router").none(false), py::arg("cases"),
             py::arg("answers"), py::arg("asked"), py::arg("progress"), py::arg("call"));
  module.def(
      "write_file",
      [](const std::filesystem::path& path, const std::string& text) {
        const py::gil_scoped_release release;
        write_file_atomically(path, text);
      },
      py::arg("path"), py::arg("text"), "Writes a file that is there whole or not at all.");
}

}  // namespace ifd::python
