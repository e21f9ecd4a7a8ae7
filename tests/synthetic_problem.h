// A small problem whose truth is known: a calibrated classifier and two class-conditional experts.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/random/keyed_random.h"

namespace ifd::train {

struct SyntheticProblem {
  Predictions training, validation;  // with labels and features
  std::vector<ExpertContext> contexts;
  AnswerTable answers;  // on the training cases
};

// Labels are drawn from the probabilities, so the classifier is calibrated by construction. Expert
// 0 is right with .95 on class 0 and .5 elsewhere, expert 1 likewise on class 1. Features are the
// logarithms of the probabilities.
inline SyntheticProblem synthetic_problem(std::size_t classes, std::size_t cases,
                                          std::uint64_t seed) {
  const Key root = Key(seed).with("synthetic problem");
  const auto predictions = [&](const char* split) {
    Predictions::Parts parts{ClassNames::numbered(classes), {}, {}, {}, {}, classes};
    for (std::size_t i = 0; i < cases; ++i) {
      const Key key = root.with(split).with(i);
      std::vector<double> weight;
      double sum = 0;
      for (std::size_t k = 0; k < classes; ++k) {
        weight.push_back(std::exp(1.5 * key.normal(k)));
        sum += weight.back();
      }
      double u = key.with("label").uniform() * sum;
      std::size_t label = 0;
      for (; label + 1 < classes && u >= weight[label]; ++label) u -= weight[label];
      parts.labels.push_back(class_id(label));
      for (const double w : weight) {
        parts.probabilities.push_back(static_cast<float>(w / sum));
        parts.features.push_back(static_cast<float>(std::log(w / sum)));
      }
      parts.cases.push_back(split + std::to_string(i));
    }
    return Predictions(std::move(parts));
  };
  SyntheticProblem problem{predictions("train"), predictions("val"), {}, {{"ann", "bob"}, cases}};
  for (std::size_t j = 0; j < 2; ++j) {
    ExpertContext context{problem.answers.expert_names()[j], {}};
    std::vector<std::size_t> taken(classes, 0);
    for (std::size_t i = 0; i < cases; ++i) {
      const ClassId truth = problem.training.label(i);
      const Key key = root.with("answer").with(i).with(context.expert);
      const double accuracy = index(truth) == j ? .95 : .5;
      const ClassId wrong =
          class_id((index(truth) + 1 + key.with("wrong").below(classes - 1)) % classes);
      const Answer answer = key.uniform() < accuracy ? truth : wrong;
      problem.answers.set(case_id(i), expert_id(j), answer);
      if (taken[index(truth)]++ < 40) {
        context.rows.push_back({problem.training.case_name(i), truth, answer});
      }
    }
    problem.contexts.push_back(std::move(context));
  }
  return problem;
}

}  // namespace ifd::train
