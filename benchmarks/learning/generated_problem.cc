#include "benchmarks/learning/generated_problem.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "ifd/random/keyed_random.h"

namespace ifd::benchmark {
namespace {

constexpr std::size_t kAnswersAClass = 15;

Predictions predictions_of(const char* split, std::size_t cases, const ProblemSize& size) {
  Predictions::Parts parts{ClassNames::numbered(size.classes), {}, {}, {}, {}, size.features};
  for (std::size_t i = 0; i < cases; ++i) {
    const Key key = Key(43).with(split).with(i);
    const std::size_t label = key.below(size.classes, 0);
    parts.cases.push_back(fmt::format("{}-{:06}", split, i));
    parts.labels.push_back(class_id(label));
    std::vector<double> weights(size.classes);
    double sum = 0;
    for (std::size_t k = 0; k < size.classes; ++k) {
      const double u = key.with("weight").uniform(k);
      sum += weights[k] = 1e-6 + u * u * u * u + (k == label ? 1 : 0);
    }
    for (const double weight : weights) {
      parts.probabilities.push_back(static_cast<float>(weight / sum));
    }
    for (std::size_t d = 0; d < size.features; ++d) {
      parts.features.push_back(static_cast<float>(key.with("feature").normal(d)));
    }
  }
  return Predictions(std::move(parts));
}

AnswerTable answers_of(const Predictions& cases, std::size_t experts) {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < experts; ++j) names.push_back(fmt::format("expert-{}", j));
  AnswerTable answers(names, cases.size());
  const std::size_t classes = cases.classes().size();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t j = 0; j < experts; ++j) {
      const ClassId truth = cases.label(i);
      const Key key = Key(47).with(cases.case_name(i)).with(j);
      const double accuracy = index(truth) == j % classes ? .9 : .5;
      answers.set(case_id(i), expert_id(j),
                  key.uniform(0) < accuracy ? truth : class_id((index(truth) + 1) % classes));
    }
  }
  return answers;
}

}  // namespace

Problem generated_problem(const ProblemSize& size) {
  Predictions training = predictions_of("train", size.cases, size);
  AnswerTable answers = answers_of(training, size.experts);
  const Predictions validation = predictions_of("validation", size.validation_cases, size);
  std::vector<ExpertContext> contexts;
  for (std::size_t j = 0; j < size.experts; ++j) {
    ExpertContext context{answers.expert_names()[j], {}};
    std::vector<std::size_t> taken(size.classes, 0);
    for (std::size_t i = 0; i < training.size(); ++i) {
      const ClassId truth = training.label(i);
      if (taken[index(truth)]++ >= kAnswersAClass) continue;
      context.rows.push_back({training.case_name(i), truth, answers.at(case_id(i), expert_id(j))});
    }
    contexts.push_back(std::move(context));
  }
  const AnswerTable validation_answers = answers_of(validation, size.experts);
  return {std::move(training), std::move(contexts), std::move(answers),
          train::Validation::from_answers(validation, validation_answers, "generated")};
}

}  // namespace ifd::benchmark
