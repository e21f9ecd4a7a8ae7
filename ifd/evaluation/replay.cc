#include "ifd/evaluation/replay.h"

#include <fmt/format.h>

#include <utility>

#include "ifd/error.h"

namespace ifd {

Replay replay(const DeferralPolicy& policy, const Predictions& cases, const AnswerTable& answers,
              Availability on_duty, const ScoringOptions& options, const AnswerWorth& worth) {
  if (!cases.has_labels() || cases.size() != answers.cases()) {
    throw bad_input(
        fmt::format("{} cases {} labels and answers on {} cases; expected labels and "
                    "answers for every case",
                    cases.size(), cases.has_labels() ? "with" : "without", answers.cases()));
  }
  on_duty.require_answers(answers);
  Replay replayed{winning_margins(policy, cases, answers.expert_names(), on_duty, options), {}};
  replayed.outcomes.resize(cases.size());
  replayed.expert_right.resize(cases.size());
  if (worth.has_costs()) replayed.expert_cost.resize(cases.size());
  const std::vector<ClassId> labels = worth.model_labels(cases);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ClassId truth = cases.label(i);
    const ExpertId expert = replayed.margins.expert[i];
    replayed.outcomes[i].model = worth.of_model(labels[i], truth);
    if (expert == kNobody) continue;
    const Answer answer = answers.at(case_id(i), expert);
    replayed.outcomes[i].expert = worth.of_expert(answer, truth, expert);
    replayed.expert_right[i] = answer.is(truth) ? 1 : 0;
    if (worth.has_costs()) replayed.expert_cost[i] = worth.expert_cost(answer, truth, expert);
  }
  return replayed;
}

Replay replay(const DeferralPolicy& policy, const Predictions& cases, const AnswerTable& answers,
              const ScoringOptions& options) {
  return replay(policy, cases, answers, Availability(answers.experts()), options);
}

}  // namespace ifd
