// Two scorers on duty; what most of the others say is the truth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/jobs/sleep_scorers.h"
#include "ifd/data/expert_context.h"
#include "ifd/policy/roster.h"
#include "ifd/random/keyed_random.h"

namespace ifd::experiments {

struct ScorerPair {
  std::size_t first, second;
};

// Every two of them, in order, but not more than `most` pairs.
std::vector<ScorerPair> scorer_pairs(const SleepScorers& scorers, std::size_t most);

// Epochs on which the other scorers have a majority, which is their label, with what the two say.
struct ScoredEpochs {
  Predictions cases;
  AnswerTable answers;                    // of the two
  std::vector<std::uint32_t> recordings;  // of each case
};

struct PairOnDuty {
  std::string name;   // "scorer1+scorer4"
  ScoredEpochs past;  // of the first half of the recordings
  ScoredEpochs test;  // of the second
};
PairOnDuty pair_on_duty(const SleepScorers& scorers, const ScorerPair& pair);

// What is known of the two.
struct PairContext {
  std::vector<ExpertContext> contexts;
  Predictions cases;  // of the contexts
  Roster roster;
};
// From `per_class` past epochs of each class, the same for both; from all without a number.
PairContext pair_context(const PairOnDuty& pair, std::optional<std::size_t> per_class,
                         const Key& key);

// What a policy learns from where these two are not to be known: past epochs and the others'
// answers. A scorer's truth is the majority of all the rest, those on duty included. Epochs count
// that each of the others scored and on which that is the same for each; the last of the past
// recordings validate.
struct PanelLesson {
  Predictions training, validation;
  AnswerTable training_answers, validation_answers;  // of the panel
  std::vector<ExpertContext> contexts;               // of the panel, on training epochs
};
PanelLesson panel_lesson(const SleepScorers& scorers, const ScorerPair& pair, const Key& key);

}  // namespace ifd::experiments
