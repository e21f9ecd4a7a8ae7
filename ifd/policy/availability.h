// Who may take a case: experts on duty, and, where answers are replayed, those who gave one.
#pragma once

#include <cstddef>
#include <vector>

#include "ifd/data/answer_table.h"

namespace ifd {

class Availability {
 public:
  // Everybody, always.
  explicit Availability(std::size_t experts) : on_duty_(experts, true) {}

  void set_off_duty(std::size_t expert) { on_duty_[expert] = false; }
  // An expert without an answer on a case does not compete there. The table must outlive this.
  void require_answers(const AnswerTable& answers) { answers_ = &answers; }

  std::size_t experts() const { return on_duty_.size(); }
  bool may_take(std::size_t row, std::size_t expert) const {
    return on_duty_[expert] && (answers_ == nullptr || !answers_->at(row, expert).is_missing());
  }

 private:
  std::vector<bool> on_duty_;
  const AnswerTable* answers_ = nullptr;
};

}  // namespace ifd
