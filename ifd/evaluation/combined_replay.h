// What would have come of the same routes, had the experts' answers been combined with the model's.
#pragma once

#include <span>

#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/evaluation/replay.h"
#include "ifd/profile/expert_profile.h"

namespace ifd {

// Of the label that the model and the expert's answer on the case make together. `cases` carry
// labels and are as the policy reads them. Who the expert is matters for the fee alone.
Credit combined_credit(const Predictions& cases, std::size_t row, Answer answer,
                       const ExpertProfile& profile, const AnswerWorth& worth = {},
                       ExpertId expert = kNobody);

// What comes of asking becomes what comes of combined labels.
void combine_answers(Replay& replayed, const Predictions& cases, const AnswerTable& answers,
                     std::span<const ExpertProfile> profiles, const AnswerWorth& worth = {});

}  // namespace ifd
