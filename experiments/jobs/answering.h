// What becomes of an expert's answer, and in which order cases are asked about.
#pragma once

#include <array>
#include <cstdint>

#include "experiments/result/cell.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/evaluation/replay.h"
#include "ifd/policy/roster.h"

namespace ifd::experiments {

enum class Answering {
  kFinal,            // plug-in, the expert's word is the label
  kCombined,         // plug-in, the label is what model and expert together make most probable
  kCombinedByValue,  // the same labels, cases ordered by the value of information
};
inline constexpr std::array<Answering, 3> kAnswerings = {Answering::kFinal, Answering::kCombined,
                                                         Answering::kCombinedByValue};

MethodName name_of(Answering answering);

// `cases` carry labels and are as the policy reads them. Everybody is on duty.
Replay answered(Answering answering, const Roster& roster, const Predictions& cases,
                const AnswerTable& answers, std::uint64_t seed);

}  // namespace ifd::experiments
