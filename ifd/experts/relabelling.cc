#include "ifd/experts/relabelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ifd/error.h"

namespace ifd {
namespace {

void check_classes(std::size_t classes, const Relabelling& pi) {
  if (classes != pi.classes()) {
    throw bad_input(fmt::format("a relabelling of {} classes; expected {}", pi.classes(), classes));
  }
}

void check_class(ClassId id, const Relabelling& pi) {
  if (index(id) >= pi.classes()) {
    throw bad_input(fmt::format("'{}' is not a class; expected 0..{}",
                                static_cast<std::int32_t>(id), pi.classes() - 1));
  }
}

void check_answer(Answer answer, const Relabelling& pi) {
  if (!answer.is_missing() && !answer.is_outside()) check_class(answer.as_class(), pi);
}

}  // namespace

Relabelling::Relabelling(std::vector<ClassId> images) : images_(std::move(images)) {
  std::vector<bool> seen(images_.size(), false);
  for (const ClassId image : images_) {
    if (index(image) >= images_.size() || seen[index(image)]) {
      throw bad_input(
          fmt::format("a relabelling sends a class to {}; expected each of 0..{} exactly once",
                      static_cast<std::int32_t>(image), images_.size() - 1));
    }
    seen[index(image)] = true;
  }
}

Relabelling Relabelling::identity(std::size_t classes) {
  std::vector<ClassId> images;
  for (std::size_t k = 0; k < classes; ++k) images.push_back(class_id(k));
  return Relabelling(std::move(images));
}

Relabelling Relabelling::random(std::size_t classes, const Key& key) {
  std::vector<std::pair<std::uint64_t, ClassId>> drawn;
  for (std::size_t k = 0; k < classes; ++k) drawn.emplace_back(key.bits(k), class_id(k));
  std::sort(drawn.begin(), drawn.end());
  std::vector<ClassId> images;
  for (const auto& [bits, id] : drawn) images.push_back(id);
  return Relabelling(std::move(images));
}

Answer Relabelling::operator()(Answer answer) const {
  if (answer.is_missing() || answer.is_outside()) return answer;
  return (*this)(answer.as_class());
}

Relabelling Relabelling::inverse() const {
  std::vector<ClassId> images(classes());
  for (std::size_t k = 0; k < classes(); ++k) images[index(images_[k])] = class_id(k);
  return Relabelling(std::move(images));
}

Relabelling Relabelling::after(const Relabelling& first) const {
  check_classes(first.classes(), *this);
  std::vector<ClassId> images;
  for (const ClassId image : first.images_) images.push_back((*this)(image));
  return Relabelling(std::move(images));
}

Predictions relabelled(const Predictions& predictions, const Relabelling& pi) {
  const std::size_t classes = predictions.classes().size();
  check_classes(classes, pi);
  Predictions::Parts parts = predictions.parts();
  for (std::size_t row = 0; row < predictions.size(); ++row) {
    for (std::size_t k = 0; k < classes; ++k) {
      parts.probabilities[row * classes + index(pi(class_id(k)))] =
          predictions.probabilities(row)[k];
    }
  }
  for (ClassId& label : parts.labels) label = pi(label);
  return Predictions(std::move(parts));
}

AnswerTable relabelled(const AnswerTable& answers, const Relabelling& pi) {
  AnswerTable result(answers.expert_names(), answers.cases());
  for (std::size_t row = 0; row < answers.cases(); ++row) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      check_answer(answers.at(case_id(row), expert_id(j)), pi);
      result.set(case_id(row), expert_id(j), pi(answers.at(case_id(row), expert_id(j))));
    }
  }
  return result;
}

ExpertContext relabelled(const ExpertContext& context, const Relabelling& pi) {
  ExpertContext result = context;
  for (ContextRow& row : result.rows) {
    check_class(row.truth, pi);
    check_answer(row.answer, pi);
    row.truth = pi(row.truth);
    row.answer = pi(row.answer);
  }
  return result;
}

std::vector<ExpertContext> relabelled(std::span<const ExpertContext> contexts,
                                      const Relabelling& pi) {
  std::vector<ExpertContext> result;
  for (const ExpertContext& context : contexts) result.push_back(relabelled(context, pi));
  return result;
}

SimulatedExpert relabelled(const SimulatedExpert& expert, const Relabelling& pi) {
  check_classes(expert.curve_by_class.size(), pi);
  SimulatedExpert result = expert;
  for (std::size_t k = 0; k < pi.classes(); ++k) {
    result.curve_by_class[index(pi(class_id(k)))] = expert.curve_by_class[k];
  }
  for (FixedMistake& mistake : result.fixed_mistakes) {
    check_class(mistake.truth, pi);
    check_class(mistake.answer, pi);
    mistake = {pi(mistake.truth), pi(mistake.answer)};
  }
  return result;
}

}  // namespace ifd
