#include "experiments/jobs/answering.h"

#include <memory>
#include <utility>
#include <vector>

#include "experiments/result/labels.h"
#include "ifd/decision/value_of_information.h"
#include "ifd/evaluation/combined_replay.h"
#include "ifd/policy/given_margins.h"
#include "ifd/policy/untrained.h"

namespace ifd::experiments {
namespace {

std::unique_ptr<DeferralPolicy> by_value(const Roster& roster, const Predictions& cases) {
  std::vector<double> values;
  values.reserve(cases.size() * roster.size());
  for (std::size_t row = 0; row < cases.size(); ++row) {
    for (const ExpertProfile& profile : roster.profiles) {
      values.push_back(value_of_information(cases.probabilities(row), profile.means()));
    }
  }
  return given_margins(std::move(values), roster.size());
}

}  // namespace

MethodName name_of(Answering answering) {
  switch (answering) {
    case Answering::kFinal:
      return kPlugIn;
    case Answering::kCombined:
      return kPlugInCombined;
    case Answering::kCombinedByValue:
      return kValueCombined;
  }
  return {};
}

Replay answered(Answering answering, const Roster& roster, const Predictions& cases,
                const AnswerTable& answers, std::uint64_t seed) {
  const auto policy = answering == Answering::kCombinedByValue
                          ? by_value(roster, cases)
                          : plug_in_policy(roster, MarginScale::kProbability);
  Replay replayed = replay(*policy, cases, answers, ScoringOptions{seed, 1, {}});
  if (answering != Answering::kFinal) combine_answers(replayed, cases, answers, roster.profiles);
  return replayed;
}

}  // namespace ifd::experiments
