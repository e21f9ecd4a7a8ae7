#include "experiments/jobs/people_on_duty.h"

#include <utility>

#include "experiments/jobs/cohort_data.h"
#include "experiments/result/labels.h"
#include "ifd/experts/cohort.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {
namespace {

constexpr double kHigh = 0.99;

std::vector<SpecialistProfile> cohort_of(const ClassNames& classes, PoolSide side,
                                         const Duty& duty) {
  const auto groups = imagenet16h_groups(classes, side, kHigh, duty.low);
  if (duty.size == CohortSize::kTwo) {
    return draw_one_per_group(groups, Key(duty.seed).with("cohort"));
  }
  std::vector<SpecialistProfile> all;
  for (const auto& group : groups) {
    all.insert(all.end(), group.experts.begin(), group.experts.end());
  }
  return all;
}

}  // namespace

std::vector<SampledAnswers> Duty::answers(PoolSide side) const {
  const Predictions& all = people.predictions.front();
  return sample_annotations(people.annotations, all.case_names(), kNoiseLevels,
                            cohort_of(all.classes(), side, *this), seed);
}

GroupName group_of(PoolSide side) { return side == PoolSide::kInDistribution ? kId : kOod; }

PeopleScene people_scene(const Duty& duty, PoolSide side, std::size_t level,
                         const AnswerTable& answers) {
  const Predictions& all = duty.people.predictions[level];
  const Key key =
      Key(duty.seed).with("context").with(group_of(side).text()).with(kNoiseLevels[level]);
  const auto context_rows = sample_context_rows(all, kContextPerClass, key);
  const auto others = other_rows(all.size(), context_rows);
  auto contexts = contexts_from_answers(answers, all, context_rows);
  Roster roster = make_roster(contexts, all.classes().size());
  return {std::move(contexts), all.subset(context_rows), std::move(roster), all.subset(others),
          answers.subset(others)};
}

}  // namespace ifd::experiments
