#include "experiments/jobs/people_on_duty.h"

#include <algorithm>
#include <utility>

#include "experiments/jobs/cohort_data.h"
#include "experiments/result/labels.h"
#include "ifd/experts/cohort.h"
#include "ifd/experts/imagenet16h_groups.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {
namespace {

constexpr double kHigh = 0.99;

}  // namespace

GroupName Duty::trained() const { return protocol == Protocol::kPaper ? kId : kSeen; }

std::vector<GroupName> Duty::groups() const {
  std::vector<GroupName> all = {trained()};
  if (protocol == Protocol::kPopulation && size == CohortSize::kTwo) all.push_back(kId);
  all.push_back(kOod);
  return all;
}

std::vector<GroupName> Duty::unseen() const {
  std::vector<GroupName> some = groups();
  std::erase(some, kSeen);
  return some;
}

std::vector<SpecialistProfile> Duty::experts(const GroupName& group) const {
  const PoolSide side = group == kOod ? PoolSide::kOutOfDistribution : PoolSide::kInDistribution;
  const auto pools = imagenet16h_groups(people.predictions.front().classes(), side, kHigh, low);
  const auto drawn = draw_one_per_group(pools, Key(seed).with("cohort"));
  const bool of_the_draw = group == kOod || group == trained();
  std::vector<SpecialistProfile> some;
  for (const SpecialistGroup& pool : pools) {
    for (const SpecialistProfile& expert : pool.experts) {
      const bool is_drawn = std::ranges::count(drawn, expert.name, &SpecialistProfile::name) > 0;
      if (size == CohortSize::kFour || is_drawn == of_the_draw) some.push_back(expert);
    }
  }
  return some;
}

std::vector<SampledAnswers> Duty::answers(const GroupName& group) const {
  return sample_annotations(people.annotations, people.predictions.front().case_names(),
                            kNoiseLevels, experts(group), seed);
}

PeopleScene people_scene(const Duty& duty, const GroupName& group, std::size_t level,
                         const AnswerTable& answers) {
  const Predictions& all = duty.people.predictions[level];
  const Key key = Key(duty.seed).with("context").with(group.text()).with(kNoiseLevels[level]);
  const auto context_rows = sample_context_rows(all, kContextPerClass, key);
  const auto others = other_rows(all.size(), context_rows);
  auto contexts = contexts_from_answers(answers, all, context_rows);
  Roster roster = make_roster(contexts, all.classes().size());
  return {std::move(contexts), all.subset(context_rows), std::move(roster), all.subset(others),
          answers.subset(others)};
}

}  // namespace ifd::experiments
