// What `profile` tells of many experts: who is how good at what, who agrees with whom, who takes
// what for what, and whose answers are missing most.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/class_names.h"
#include "ifd/experts/agreement.h"
#include "ifd/experts/mistakes.h"
#include "ifd/policy/roster.h"
#include "ifd/profile/answer_needs.h"
#include "ifd/router/experts_shown.h"

namespace ifd::cli {

struct RosterStory {
  const Roster& roster;  // begins with those who have a context, in its order
  const ClassNames& classes;
  Agreement agreement;
  std::vector<std::vector<Mistake>> mistakes;  // of those with a context
  AnswerNeeds needs;
  double interval;  // mass of the intervals
  ExpertsShown shown = ExpertsShown::kMost;
};

// Expert x class, and what else there is to tell. Accuracies with the numbers of answers, in blocks
// of classes where a line has no room for all; of many experts in percent alone, so that there is.
std::string text_of(const RosterStory& story);

nlohmann::ordered_json json_of(const Agreement& agreement, const Roster& roster);
nlohmann::ordered_json json_of(std::span<const Mistake> mistakes, const ClassNames& classes);
nlohmann::ordered_json json_of(const AnswerNeeds& needs, const Roster& roster,
                               const ClassNames& classes);

}  // namespace ifd::cli
