// Answers by what they are, where nobody asks on which cases they were given.
#pragma once

#include <compare>
#include <cstdint>
#include <map>

#include "ifd/data/answer_table.h"
#include "ifd/ids.h"

namespace ifd {

// So many answers alike, on cases with that truth.
struct AnswerCount {
  ClassId truth;
  Answer answer;
  std::uint64_t count = 1;
  bool operator==(const AnswerCount&) const = default;
};

// What an answer was, to count those that are alike.
struct AnswerKind {
  ClassId truth;
  std::int32_t answer;  // a class, or -1 for one outside the classes
  auto operator<=>(const AnswerKind&) const = default;
};
using CountsByKind = std::map<AnswerKind, std::uint64_t>;  // positive

}  // namespace ifd
