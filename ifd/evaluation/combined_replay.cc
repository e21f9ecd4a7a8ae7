#include "ifd/evaluation/combined_replay.h"

#include <algorithm>

#include "ifd/decision/combined_answer.h"

namespace ifd {

Credit combined_credit(const Predictions& cases, std::size_t row, Answer answer,
                       const ExpertProfile& profile) {
  const GivenAnswer given{&profile, answer};
  const CombinedAnswer made = combine(cases.probabilities(row), std::span(&given, 1));
  const auto found = std::find(made.tied.begin(), made.tied.end(), cases.label(row));
  return found == made.tied.end() ? kWrongAnswer : shared_credit(made.tied.size());
}

void combine_answers(Replay& replayed, const Predictions& cases, const AnswerTable& answers,
                     std::span<const ExpertProfile> profiles) {
  for (std::size_t row = 0; row < cases.size(); ++row) {
    const ExpertId expert = replayed.margins.expert[row];
    if (expert == kNobody) continue;
    replayed.outcomes[row].expert =
        combined_credit(cases, row, answers.at(case_id(row), expert), profiles[index(expert)]);
  }
}

}  // namespace ifd
