#include "ifd/evaluation/replay.h"

#include <fmt/format.h>

#include <utility>

#include "ifd/error.h"

namespace ifd {

Replay replay(const DeferralPolicy& policy, const Predictions& cases, const AnswerTable& answers,
              Availability on_duty, const ScoringOptions& options) {
  if (!cases.has_labels() || cases.size() != answers.cases()) {
    throw bad_input(
        fmt::format("{} cases {} labels and answers on {} cases; expected labels and "
                    "answers for every case",
                    cases.size(), cases.has_labels() ? "with" : "without", answers.cases()));
  }
  on_duty.require_answers(answers);
  Replay replayed{winning_margins(policy, cases, answers.expert_names(), on_duty, options), {}};
  replayed.outcomes.resize(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const ClassId truth = cases.label(i);
    const ExpertId expert = replayed.margins.expert[i];
    replayed.outcomes[i] = {
        credit_if(top_class(cases.probabilities(i)) == truth),
        credit_if(expert != kNobody && answers.at(case_id(i), expert).is(truth))};
  }
  return replayed;
}

Replay replay(const DeferralPolicy& policy, const Predictions& cases, const AnswerTable& answers,
              const ScoringOptions& options) {
  return replay(policy, cases, answers, Availability(answers.experts()), options);
}

}  // namespace ifd
