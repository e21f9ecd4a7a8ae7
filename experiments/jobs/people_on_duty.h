// People of ImageNet-16H on duty: who they are, what they said before, and what they say now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/jobs/annotators.h"
#include "experiments/result/cell.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/experts/annotation_sampling.h"
#include "ifd/experts/imagenet16h_groups.h"
#include "ifd/policy/roster.h"

namespace ifd::experiments {

// The target accuracy outside the specialty, unless it is varied.
inline constexpr double kLowTarget = 0.40;

// Somebody of each group ("two": one, "four": both).
enum class CohortSize { kTwo, kFour };

// Who is on duty: people made specialists by sampling among their answers, right on the share .99
// of their specialty and on `low` elsewhere, as far as their answers allow.
struct Duty {
  const RealAnnotators& people;
  CohortSize size;
  double low;
  std::uint64_t seed;

  // Their answers, in the order of kNoiseLevels.
  std::vector<SampledAnswers> answers(PoolSide side) const;
};

// "id" and "ood".
GroupName group_of(PoolSide side);

// The experts at one noise level: contexts from 15 images per class, answers on all the others.
struct PeopleScene {
  std::vector<ExpertContext> contexts;
  Predictions context_predictions;
  Roster roster;
  Predictions cases;
  AnswerTable answers;
};
// At kNoiseLevels[level], with the answers of that level.
PeopleScene people_scene(const Duty& duty, PoolSide side, std::size_t level,
                         const AnswerTable& answers);

}  // namespace ifd::experiments
