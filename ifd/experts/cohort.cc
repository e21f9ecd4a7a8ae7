#include "ifd/experts/cohort.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ifd/error.h"

namespace ifd {

Cohort draw_cohort(std::size_t classes, std::size_t n_id, std::uint64_t seed) {
  if (n_id < 1 || n_id > classes) {
    throw bad_input(fmt::format("a cohort of {} specialties; expected 1..{}", n_id, classes));
  }
  const Key key = Key(seed).with("cohort");
  std::vector<std::pair<std::uint64_t, ClassId>> drawn;
  for (std::size_t k = 0; k < classes; ++k) drawn.emplace_back(key.bits(k), class_id(k));
  std::sort(drawn.begin(), drawn.end());
  Cohort cohort;
  for (std::size_t i = 0; i < classes; ++i) {
    (i < n_id ? cohort.id_specialties : cohort.ood_specialties).push_back(drawn[i].second);
  }
  std::sort(cohort.id_specialties.begin(), cohort.id_specialties.end());
  std::sort(cohort.ood_specialties.begin(), cohort.ood_specialties.end());
  return cohort;
}

std::vector<std::size_t> sample_context_rows(const Predictions& training, std::size_t per_class,
                                             const Key& key) {
  if (!training.has_labels()) {
    throw bad_input("the cases for the contexts have no labels; expected them");
  }
  std::vector<std::pair<std::uint64_t, std::size_t>> order;
  for (std::size_t row = 0; row < training.size(); ++row) {
    order.emplace_back(key.with(training.case_name(row)).bits(), row);
  }
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    if (a.first != b.first) return a.first < b.first;
    return training.case_name(a.second) < training.case_name(b.second);
  });
  std::vector<std::size_t> taken(training.classes().size(), 0);
  std::vector<std::size_t> rows;
  for (const auto& [bits, row] : order) {
    std::size_t& count = taken[index(training.label(row))];
    if (count == per_class) continue;
    ++count;
    rows.push_back(row);
  }
  for (std::size_t k = 0; k < taken.size(); ++k) {
    if (taken[k] < per_class) {
      throw bad_input(fmt::format("class '{}' has {} case(s) for a context; expected at least {}",
                                  training.classes().name(class_id(k)), taken[k], per_class));
    }
  }
  return rows;
}

std::vector<std::size_t> other_rows(std::size_t size, std::span<const std::size_t> rows) {
  std::vector<bool> taken(size, false);
  for (const std::size_t row : rows) {
    if (row >= size) {
      throw bad_input(fmt::format("row {} is not there; expected less than {}", row, size));
    }
    taken[row] = true;
  }
  std::vector<std::size_t> others;
  for (std::size_t row = 0; row < size; ++row) {
    if (!taken[row]) others.push_back(row);
  }
  return others;
}

std::vector<ExpertContext> contexts_from_answers(const AnswerTable& answers,
                                                 const Predictions& cases,
                                                 std::span<const std::size_t> rows) {
  if (answers.cases() != cases.size() || cases.labels().size() != cases.size()) {
    throw bad_input(fmt::format("answers on {} cases; expected {} cases with labels",
                                answers.cases(), cases.size()));
  }
  std::vector<ExpertContext> contexts;
  for (std::size_t j = 0; j < answers.experts(); ++j) {
    ExpertContext context{answers.expert_names()[j], {}};
    for (const std::size_t row : rows) {
      if (row >= cases.size()) {
        throw bad_input(
            fmt::format("a context asks for row {}; expected less than {}", row, cases.size()));
      }
      const Answer answer = answers.at(case_id(row), expert_id(j));
      if (answer.is_missing()) continue;
      context.rows.push_back({cases.case_name(row), cases.label(row), answer});
    }
    contexts.push_back(std::move(context));
  }
  return contexts;
}

}  // namespace ifd
