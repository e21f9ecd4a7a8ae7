// What gaps in the answers leave of the cases: an expert without an answer cannot be asked.
#pragma once

#include <cstddef>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/evaluation/bootstrap.h"
#include "ifd/evaluation/evaluation.h"
#include "ifd/evaluation/replay.h"
#include "ifd/policy/availability.h"

namespace ifd {

struct Coverage {
  std::size_t reachable_cases = 0;  // that somebody could take
  std::vector<double> of_experts;   // the share of all cases that each could take
};

Coverage coverage(const AnswerTable& answers, const Availability& on_duty);

// The areas over the cases that somebody could take: groups that lose all their cases are gone, and
// the intervals are over the others. Nothing where that is every case or none.
std::optional<ReachableAreas> reachable_areas(const Replay& replayed, const Key& key,
                                              const BootstrapOptions& options);

}  // namespace ifd
