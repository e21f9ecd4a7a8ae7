#include "ifd/data/case_votes.h"

#include <algorithm>

namespace ifd {

void CaseVotes::count(std::span<const Answer> answers) {
  for (const ClassId id : voted_) votes_[index(id)] = 0;
  voted_.clear();
  leaders_.clear();
  all_ = most_ = next_ = 0;
  for (const Answer answer : answers) {
    if (!is_vote(answer)) continue;
    ++all_;
    if (++votes_[index(answer.as_class())] == 1) voted_.push_back(answer.as_class());
  }
  for (const ClassId id : voted_) most_ = std::max(most_, votes_[index(id)]);
  for (const ClassId id : voted_) {
    if (votes_[index(id)] == most_) {
      leaders_.push_back(id);
    } else {
      next_ = std::max(next_, votes_[index(id)]);
    }
  }
}

std::optional<ClassId> CaseVotes::majority() const {
  if (leaders_.size() != 1) return {};
  return leaders_.front();
}

std::optional<ClassId> CaseVotes::majority_without(Answer answer) const {
  if (!is_vote(answer)) return majority();
  const ClassId own = answer.as_class();
  if (votes_[index(own)] < most_) return majority();
  // Without this vote one leader falls back: a sole leader stays if it led by two or more, of two
  // the other wins, and three or more leave a tie.
  if (leaders_.size() == 1) return most_ - 1 > next_ ? std::optional(own) : std::nullopt;
  if (leaders_.size() > 2) return {};
  return leaders_.front() == own ? leaders_.back() : leaders_.front();
}

}  // namespace ifd
