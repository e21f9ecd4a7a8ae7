// What a watch could have seen: where nothing is found, how large a fall would have been.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "ifd/data/answer_count.h"
#include "ifd/ids.h"
#include "ifd/watch/watch.h"

namespace ifd {

struct WatchSize {
  std::size_t classes;
  std::size_t experts;  // in the watch
};

// The smallest of .1, .2, ..., .9 that would have been found in four of five simulated watches, had
// this expert's accuracy on every class fallen by it before the first of the new answers, whose
// truths are given in their order; none where even .9 would not have been. Old accuracies are taken
// as (right + 1) / (answers + 2). Of more than 500 new answers the first 500 are tried.
std::optional<double> visible_fall(std::span<const AnswerCount> before,
                                   std::span<const ClassId> truths, const WatchSize& size,
                                   const WatchOptions& options);

}  // namespace ifd
