// Answers by what they are, where nobody asks on which cases they were given.
#pragma once

#include <cstdint>

#include "ifd/data/answer_table.h"
#include "ifd/ids.h"

namespace ifd {

// So many answers alike, on cases with that truth.
struct AnswerCount {
  ClassId truth;
  Answer answer;
  std::uint64_t count = 1;
};

}  // namespace ifd
