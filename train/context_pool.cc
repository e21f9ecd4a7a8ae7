#include "train/context_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ifd/error.h"
#include "train/context_sampler.h"
#include "train/shared_context.h"

namespace ifd::train {
namespace {

bool is_complete(const AnswerTable& answers) {
  return given_answers(answers) == answers.cases() * answers.experts();
}

class SharedPool final : public ContextPool {
 public:
  SharedPool(SharedContext from, std::size_t classes, torch::Tensor phi)
      : from_(std::move(from)), classes_(classes), phi_(std::move(phi)) {}

  DrawnContext draw(std::size_t count, const Key& key, const Relabelling& naming) const override {
    return {tensors(sample_names(from_.cases, count, key), naming)};
  }

  PopulationContext whole() const override {
    return tensors(from_.everything(), Relabelling::identity(classes_));
  }

 private:
  PopulationContext tensors(const std::vector<std::size_t>& chosen,
                            const Relabelling& naming) const {
    return population_context(from_, chosen, naming, phi_.index_select(0, rows_of(from_, chosen)));
  }

  SharedContext from_;
  std::size_t classes_;
  torch::Tensor phi_;
};

// What one expert answered.
struct OwnAnswers {
  std::string expert;
  std::vector<std::string> cases;
  std::vector<std::int64_t> rows;  // of the training predictions
  std::vector<ClassId> truths;
  std::vector<Answer> answers;
};

std::vector<OwnAnswers> own_answers(const Predictions& training,
                                    std::span<const ExpertContext> contexts) {
  const CaseIndex row_of(training);
  std::vector<OwnAnswers> all;
  for (const ExpertContext& context : contexts) {
    if (context.rows.empty()) {
      throw bad_input(fmt::format("expert '{}' has no answer on a training case; expected some",
                                  context.expert));
    }
    OwnAnswers own{context.expert, {}, {}, {}, {}};
    for (const ContextRow& row : context.rows) {
      own.cases.push_back(row.case_name);
      own.rows.push_back(static_cast<std::int64_t>(training_row(row_of, row.case_name)));
      own.truths.push_back(row.truth);
      own.answers.push_back(row.answer);
    }
    all.push_back(std::move(own));
  }
  return all;
}

std::vector<ExpertContext> contexts_of(const Predictions& training, const AnswerTable& answers) {
  std::vector<ExpertContext> contexts;
  for (std::size_t j = 0; j < answers.experts(); ++j) {
    ExpertContext context{answers.expert_names()[j], {}};
    for (std::size_t i = 0; i < training.size(); ++i) {
      const Answer answer = answers.at(case_id(i), expert_id(j));
      if (answer.is_missing()) continue;
      context.rows.push_back({training.case_name(i), training.label(i), answer});
    }
    contexts.push_back(std::move(context));
  }
  return contexts;
}

torch::Tensor given_table(const AnswerTable& answers) {
  const auto given = torch::empty(
      {static_cast<std::int64_t>(answers.cases()), static_cast<std::int64_t>(answers.experts())},
      torch::kBool);
  for (std::size_t i = 0; i < answers.cases(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      given.data_ptr<bool>()[i * answers.experts() + j] =
          !answers.at(case_id(i), expert_id(j)).is_missing();
    }
  }
  return given;
}

class OwnPool final : public ContextPool {
 public:
  OwnPool(std::vector<OwnAnswers> from, torch::Tensor given, std::size_t classes, torch::Tensor phi)
      : from_(std::move(from)), given_(std::move(given)), classes_(classes), phi_(std::move(phi)) {}

  DrawnContext draw(std::size_t count, const Key& key, const Relabelling& naming) const override {
    std::vector<std::vector<std::size_t>> chosen;
    DrawnContext drawn{{}, given_.clone()};
    for (std::size_t j = 0; j < from_.size(); ++j) {
      const std::size_t half = std::max<std::size_t>(1, from_[j].cases.size() / 2);
      chosen.push_back(
          sample_names(from_[j].cases, std::min(count, half), key.with(from_[j].expert)));
      for (const std::size_t i : chosen.back()) {
        const auto row = static_cast<std::size_t>(from_[j].rows[i]);
        drawn.counted.data_ptr<bool>()[row * from_.size() + j] = false;
      }
    }
    drawn.context = tensors(chosen, naming);
    return drawn;
  }

  PopulationContext whole() const override {
    std::vector<std::vector<std::size_t>> chosen;
    for (const OwnAnswers& own : from_) {
      chosen.emplace_back();
      for (std::size_t i = 0; i < own.cases.size(); ++i) chosen.back().push_back(i);
    }
    return tensors(chosen, Relabelling::identity(classes_));
  }

 private:
  // `chosen` of each expert; who has fewer than another has places that are not given.
  PopulationContext tensors(const std::vector<std::vector<std::size_t>>& chosen,
                            const Relabelling& naming) const {
    std::size_t most = 0;
    for (const auto& of_expert : chosen) most = std::max(most, of_expert.size());
    const auto experts = static_cast<std::int64_t>(from_.size());
    const auto n = static_cast<std::int64_t>(most);
    const auto rows = torch::zeros({experts, n}, torch::kInt64);
    const auto truths = torch::zeros({experts, n}, torch::kInt64);
    const auto answers = torch::zeros({experts, n}, torch::kInt64);
    const auto given = torch::zeros({experts, n}, torch::kBool);
    for (std::size_t j = 0; j < chosen.size(); ++j) {
      for (std::size_t i = 0; i < chosen[j].size(); ++i) {
        const std::size_t at = j * most + i;
        const std::size_t from = chosen[j][i];
        rows.data_ptr<std::int64_t>()[at] = from_[j].rows[from];
        truths.data_ptr<std::int64_t>()[at] =
            static_cast<std::int64_t>(index(naming(from_[j].truths[from])));
        answers.data_ptr<std::int64_t>()[at] = number_of(naming(from_[j].answers[from]), classes_);
        given.data_ptr<bool>()[at] = true;
      }
    }
    return {phi_.index_select(0, rows.view({-1})).view({experts, n, phi_.size(1)}), truths, answers,
            given};
  }

  std::vector<OwnAnswers> from_;
  torch::Tensor given_;  // N x J
  std::size_t classes_;
  torch::Tensor phi_;
};

std::unique_ptr<ContextPool> own_pool(const Predictions& training,
                                      std::span<const ExpertContext> contexts,
                                      const AnswerTable& answers, const torch::Tensor& phi) {
  return std::make_unique<OwnPool>(own_answers(training, contexts), given_table(answers),
                                   training.classes().size(), phi);
}

}  // namespace

std::size_t given_answers(const AnswerTable& answers) {
  std::size_t given = 0;
  for (std::size_t i = 0; i < answers.cases(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      given += answers.at(case_id(i), expert_id(j)).is_missing() ? 0 : 1;
    }
  }
  return given;
}

std::unique_ptr<ContextPool> pool_of_cases(const Predictions& training, const AnswerTable& answers,
                                           const torch::Tensor& phi) {
  if (!is_complete(answers)) {
    return own_pool(training, contexts_of(training, answers), answers, phi);
  }
  return std::make_unique<SharedPool>(context_of_all_cases(training, answers),
                                      training.classes().size(), phi);
}

std::unique_ptr<ContextPool> pool_of_contexts(const Predictions& training,
                                              std::span<const ExpertContext> contexts,
                                              const AnswerTable& answers,
                                              const torch::Tensor& phi) {
  if (!is_complete(answers)) return own_pool(training, contexts, answers, phi);
  return std::make_unique<SharedPool>(shared_context(training, contexts), training.classes().size(),
                                      phi);
}

}  // namespace ifd::train
