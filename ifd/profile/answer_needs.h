// Whose answers to which classes are missing most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ifd/ids.h"
#include "ifd/profile/expert_profile.h"

namespace ifd {

// An expert's class with too few answers.
struct AnswerNeed {
  std::size_t expert;  // place in the profiles
  ClassId class_id;
  std::uint64_t answers;
  // How far the expert's accuracy over all cases is uncertain by this class alone: the share of the
  // cases that are of the class, times the standard deviation of the accuracy there.
  double uncertainty;
};

struct AnswerNeeds {
  std::uint64_t enough;           // answers per expert and class
  std::size_t cells;              // expert x class with fewer
  std::vector<AnswerNeed> first;  // the most uncertain of them, most uncertain first
};

// `class_shares` has one number per class, or is empty: all classes alike.
AnswerNeeds answer_needs(std::span<const ExpertProfile> profiles,
                         std::span<const double> class_shares, std::uint64_t enough,
                         std::size_t most);

}  // namespace ifd
