// People of ImageNet-16H on duty: who they are, what they said before, and what they say now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/jobs/annotators.h"
#include "experiments/jobs/protocol.h"
#include "experiments/result/cell.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/expert_context.h"
#include "ifd/data/predictions.h"
#include "ifd/experts/annotation_sampling.h"
#include "ifd/policy/roster.h"

namespace ifd::experiments {

// The target accuracy outside the specialty, unless it is varied.
inline constexpr double kLowTarget = 0.40;

// Somebody of each group of specialists ("two": one, "four": both).
enum class CohortSize { kTwo, kFour };

// Who is on duty: people made specialists by sampling among their answers, right on the share .99
// of their specialty and on `low` elsewhere, as far as their answers allow. There are four of each
// side, two for each of its groups.
//
// In a population `seen` are those of the training; `id` are the others of the same side, in the
// order of the groups as they are, and there are none where all four train; `ood` are of the other
// side. In the paper's protocol the people of the training are `id`, and nobody is `seen`.
struct Duty {
  const RealAnnotators& people;
  CohortSize size;
  double low;
  std::uint64_t seed;
  Protocol protocol;

  // The group of those of the training.
  GroupName trained() const;
  // The groups there are, those of the training first.
  std::vector<GroupName> groups() const;
  // Those that are not called `seen`.
  std::vector<GroupName> unseen() const;
  std::vector<SpecialistProfile> experts(const GroupName& group) const;
  // Their answers, in the order of kNoiseLevels.
  std::vector<SampledAnswers> answers(const GroupName& group) const;
};

// The experts at one noise level: contexts from 15 images per class, answers on all the others.
struct PeopleScene {
  std::vector<ExpertContext> contexts;
  Predictions context_predictions;
  Roster roster;
  Predictions cases;
  AnswerTable answers;
};
// At kNoiseLevels[level], with the group's answers at that level.
PeopleScene people_scene(const Duty& duty, const GroupName& group, std::size_t level,
                         const AnswerTable& answers);

}  // namespace ifd::experiments
