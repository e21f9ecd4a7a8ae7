// What most of the experts answered on a case: a truth where nobody knows a better one.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/ids.h"

namespace ifd {

// The answers on one case after the other. An answer that is missing or outside the classes is no
// vote. Time is linear in the answers, whatever the number of classes.
class CaseVotes {
 public:
  explicit CaseVotes(std::size_t classes) : votes_(classes, 0) {}

  // The answers on the next case, instead of those before.
  void count(std::span<const Answer> answers);

  // The class with more votes than any other; none where there is no vote or a tie.
  std::optional<ClassId> majority() const;
  // The same without one of the answers that were counted.
  std::optional<ClassId> majority_without(Answer answer) const;

  std::size_t votes() const { return all_; }
  std::size_t votes_without(Answer answer) const { return all_ - (is_vote(answer) ? 1 : 0); }

 private:
  static bool is_vote(Answer answer) { return !answer.is_missing() && !answer.is_outside(); }

  std::vector<std::size_t> votes_;  // by class
  std::vector<ClassId> voted_;      // the classes with a vote
  std::size_t all_ = 0;
  std::vector<ClassId> leaders_;  // those with most votes
  std::size_t most_ = 0;          // of the leaders
  std::size_t next_ = 0;          // most votes of a class that is no leader
};

}  // namespace ifd
