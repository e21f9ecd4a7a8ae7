// What an expert takes for what.
#pragma once

#include <cstdint>
#include <vector>

#include "ifd/data/expert_context.h"

namespace ifd {

// Cases of one class that an expert answered with another, or with none of the classes.
struct Mistake {
  ClassId truth;
  Answer answer;
  std::uint64_t count;  // how often
  std::uint64_t of;     // answers on cases of that class
  bool operator==(const Mistake&) const = default;
};

// The most frequent first; of those as frequent, the one with the larger share of its class.
std::vector<Mistake> mistakes(const ExpertContext& context);

}  // namespace ifd
