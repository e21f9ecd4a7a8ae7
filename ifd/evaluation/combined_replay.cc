#include "ifd/evaluation/combined_replay.h"

#include <algorithm>

#include "ifd/decision/combined_answer.h"

namespace ifd {
namespace {

CombinedAnswer combined_on(const Predictions& cases, std::size_t row, Answer answer,
                           const ExpertProfile& profile, const AnswerWorth& worth) {
  const GivenAnswer given{&profile, answer};
  return combine(cases.probabilities(row), std::span(&given, 1), 1, worth.deciding_costs());
}

}  // namespace

Credit combined_credit(const Predictions& cases, std::size_t row, Answer answer,
                       const ExpertProfile& profile, const AnswerWorth& worth, ExpertId expert) {
  return worth.of_combined(combined_on(cases, row, answer, profile, worth), cases.label(row),
                           expert);
}

void combine_answers(Replay& replayed, const Predictions& cases, const AnswerTable& answers,
                     std::span<const ExpertProfile> profiles, const AnswerWorth& worth) {
  const AnswerWorth right_or_wrong;
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const ExpertId expert = replayed.margins.expert[row];
    if (expert == kNobody) continue;
    const ClassId truth = cases.label(row);
    const CombinedAnswer made =
        combined_on(cases, row, answers.at(case_id(row), expert), profiles[index(expert)], worth);
    replayed.outcomes[row].expert = worth.of_combined(made, truth, expert);
    replayed.expert_right[row] = share(right_or_wrong.of_combined(made, truth, expert));
    if (worth.has_costs()) replayed.expert_cost[row] = worth.combined_cost(made, truth, expert);
  }
}

}  // namespace ifd
