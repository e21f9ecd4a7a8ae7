// Which of an expert's answers an epoch or a batch gets to see.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/class_names.h"
#include "ifd/data/expert_context.h"
#include "ifd/profile/expert_profile.h"
#include "ifd/random/keyed_random.h"

namespace ifd::train {

// The positions of `count` names (all, where there are fewer), drawn without replacement. Which
// names are drawn depends on the key and the names alone, not on their order.
std::vector<std::size_t> sample_names(std::span<const std::string> names, std::size_t count,
                                      const Key& key);

// Each expert's profile from `count` of the answers in the context, drawn for each expert apart.
std::vector<ExpertProfile> sampled_profiles(std::span<const ExpertContext> contexts,
                                            std::size_t classes, std::size_t count, const Key& key);

// What contexts must hold. kEveryClass: an answer of every expert on every class. kAnyClasses: an
// answer of every expert; a class without one keeps its prior in the profile.
enum class ContextCoverage { kEveryClass, kAnyClasses };

// Error(kBadInput) unless there is an expert and the contexts hold what they must. `place` is the
// file in the message.
void check_contexts(std::span<const ExpertContext> contexts, const ClassNames& classes,
                    const std::string& place,
                    ContextCoverage coverage = ContextCoverage::kEveryClass);

}  // namespace ifd::train
