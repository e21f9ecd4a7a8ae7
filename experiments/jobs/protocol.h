// Who the experts of an experiment are, and what a method is given beside them.
#pragma once

#include <string_view>

namespace ifd::experiments {

enum class Protocol {
  // Seen, unseen and OOD experts are separate draws from a population around the paper's
  // archetypes: each has a skill and half of the luck of their own.
  kPopulation,
  // As the paper has it: experts of one archetype are equally skilled and share all their luck, so
  // that an unseen expert of a seen specialty is right on the same cases as the seen one.
  kPaper,
};

constexpr std::string_view name_of(Protocol protocol) {
  return protocol == Protocol::kPaper ? "paper" : "population";
}

// How far the logits of accuracies spread in the population, and how much of the luck experts
// share: errors then correlate about as those of real people do, .2 to .4 (ImageNet-16H, DOD-H).
inline constexpr double kSkillSpread = 0.25;
inline constexpr double kSharedLuck = 0.5;

// Where L2D-Pop draws the contexts of its training from.
enum class PopContext {
  kAllCases,  // the training cases, on all of which it is told the experts' answers anyway
  kPool,      // the contexts of the seen experts, 15 answers per class
};

}  // namespace ifd::experiments
