// The paper's four groups of specialists on ImageNet-16H, by class name (its indices follow no
// order of the published files).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ifd/data/class_names.h"
#include "ifd/experts/annotation_sampling.h"
#include "ifd/random/keyed_random.h"

namespace ifd {

enum class PoolSide {
  kInDistribution,     // animals, household
  kOutOfDistribution,  // transport, tools
};

struct SpecialistGroup {
  std::string name;
  std::vector<SpecialistProfile> experts;  // alike but for their names and so their draws
};

// Two groups of two experts each: "animals-1", "animals-2", "household-1", ... The classes must
// include those of the groups; a missing one is an Error that names it.
std::vector<SpecialistGroup> imagenet16h_groups(const ClassNames& classes, PoolSide side,
                                                double high = 0.99, double low = 0.40);

// A cohort: one expert of each group, keyed by group name.
std::vector<SpecialistProfile> draw_one_per_group(std::span<const SpecialistGroup> groups,
                                                  const Key& key);

}  // namespace ifd
