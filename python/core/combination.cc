#include "ifd/router/combination.h"

#include <pybind11/stl.h>

#include "ifd/evaluation/evaluated_answers.h"
#include "ifd/evaluation/evaluation.h"
#include "ifd/router/combination_document.h"
#include "python/core/answers.h"
#include "python/core/arrays.h"
#include "python/core/long_call.h"
#include "python/core/router.h"

namespace ifd::python {
namespace {

// Columns with an entry per case, and the texts of `ifd combine`.
py::dict told(const Combination& made, const Predictions& cases) {
  const ClassNames& classes = cases.classes();
  py::list label, prediction, answers, advice, reader;
  std::vector<double> probability, worth, cost;
  for (const CombinedCase& here : made.cases) {
    label.append(classes.name(here.label));
    prediction.append(classes.name(here.prediction));
    probability.push_back(here.probability);
    py::dict given;
    for (const auto& [expert, answer] : here.given) {
      given[py::str((*made.experts)[index(expert)])] =
          answer.is_outside() ? py::object(py::none())
                              : py::object(py::str(classes.name(answer.as_class())));
    }
    answers.append(given);
    advice.append(word_for(here.second.advice));
    reader.append(here.second.reader
                      ? py::object(py::str((*made.experts)[index(*here.second.reader)]))
                      : py::object(py::none()));
    worth.push_back(here.second.worth);
    if (here.cost) cost.push_back(*here.cost);
  }
  py::dict out;
  out["case"] = cases.case_names();
  out["label"] = label;
  out["probability"] = as_array(std::move(probability));
  out["prediction"] = prediction;
  out["answers"] = answers;
  out["advice"] = advice;
  out["reader"] = reader;
  out["worth"] = as_array(std::move(worth));
  out["cost"] = made.cost_unit ? py::object(as_array(std::move(cost))) : py::object(py::none());
  out["error_correlation"] = made.shared.correlation;
  out["shared_cases"] = made.shared.cases;
  out["csv"] = combination_csv(cases, made, CsvText::kExact);
  out["jsonl"] = combination_jsonl(cases, made);
  return out;
}

py::dict combine(const std::shared_ptr<RouterHandle>& router, const Predictions& cases,
                 const py::object& answers, double sure, double worth, const py::object& progress) {
  const Answers given =
      answers_on(cases, answers, blanks_are_missing(answers_format("given", py::none(), "names")));
  std::optional<Combination> made;
  long_call(kShortWork, progress, [&](const LongWork& work) {
    made = router->router.combine(cases, columns_of(given.file.table, router->router.experts()),
                                  {sure, worth}, work);
  });
  return told(*made, cases);
}

}  // namespace

void bind_combination(py::module_& module) {
  module.def("combine", &combine, py::arg("router").none(false), py::arg("cases"),
             py::arg("answers"), py::arg("sure"), py::arg("worth"), py::arg("progress"));
}

}  // namespace ifd::python
