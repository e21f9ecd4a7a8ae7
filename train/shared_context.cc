#include "train/shared_context.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "ifd/error.h"

namespace ifd::train {

std::vector<std::size_t> SharedContext::everything() const {
  std::vector<std::size_t> all(cases.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  return all;
}

std::size_t training_row(const CaseIndex& row_of, std::string_view name) {
  const auto row = row_of.find(name);
  if (row) return *row;
  throw bad_input(fmt::format(
      "context case '{}' is not among the training predictions; expected its features there",
      name));
}

std::int64_t number_of(Answer answer, std::size_t classes) {
  return static_cast<std::int64_t>(answer.is_outside() ? classes : index(answer.as_class()));
}

SharedContext shared_context(const Predictions& training, std::span<const ExpertContext> contexts) {
  const CaseIndex row_of(training);
  std::map<std::string_view, std::vector<const ContextRow*>> by_case;
  for (const ExpertContext& context : contexts) {
    for (const ContextRow& row : context.rows) by_case[row.case_name].push_back(&row);
  }
  SharedContext shared;
  shared.answers.resize(contexts.size());
  for (const auto& [name, rows] : by_case) {
    const std::size_t row = training_row(row_of, name);
    if (rows.size() != contexts.size()) continue;
    shared.cases.emplace_back(name);
    shared.rows.push_back(static_cast<std::int64_t>(row));
    shared.truths.push_back(rows.front()->truth);
    for (std::size_t j = 0; j < rows.size(); ++j) shared.answers[j].push_back(rows[j]->answer);
  }
  if (shared.cases.empty()) {
    throw bad_input("the experts' contexts share no case; expected some that all experts answered");
  }
  return shared;
}

SharedContext context_of_all_cases(const Predictions& training, const AnswerTable& answers) {
  SharedContext shared;
  shared.cases = training.case_names();
  shared.truths.assign(training.labels().begin(), training.labels().end());
  shared.answers.resize(answers.experts());
  for (std::size_t i = 0; i < training.size(); ++i) {
    shared.rows.push_back(static_cast<std::int64_t>(i));
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      shared.answers[j].push_back(answers.at(case_id(i), expert_id(j)));
    }
  }
  return shared;
}

SharedContext context_source(ContextSource source, const Predictions& training,
                             std::span<const ExpertContext> contexts, const AnswerTable& answers) {
  return source == ContextSource::kPool ? shared_context(training, contexts)
                                        : context_of_all_cases(training, answers);
}

torch::Tensor rows_of(const SharedContext& from, std::span<const std::size_t> chosen) {
  auto rows = torch::empty({static_cast<std::int64_t>(chosen.size())}, torch::kInt64);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    rows.data_ptr<std::int64_t>()[i] = from.rows[chosen[i]];
  }
  return rows;
}

PopulationContext population_context(const SharedContext& from, std::span<const std::size_t> chosen,
                                     const Relabelling& naming, torch::Tensor features) {
  const auto n = static_cast<std::int64_t>(chosen.size());
  const auto experts = static_cast<std::int64_t>(from.answers.size());
  const auto truths = torch::empty({n}, torch::kInt64);
  const auto answers = torch::empty({experts, n}, torch::kInt64);
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    truths.data_ptr<std::int64_t>()[i] =
        static_cast<std::int64_t>(index(naming(from.truths[chosen[i]])));
    for (std::size_t j = 0; j < from.answers.size(); ++j) {
      answers.data_ptr<std::int64_t>()[j * chosen.size() + i] =
          number_of(naming(from.answers[j][chosen[i]]), naming.classes());
    }
  }
  return {std::move(features), truths, answers};
}

}  // namespace ifd::train
