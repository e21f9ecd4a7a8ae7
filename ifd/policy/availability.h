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

  void set_on_duty(ExpertId expert, bool on_duty) { on_duty_[index(expert)] = on_duty; }
  // An expert without an answer on a case does not compete there. The table must outlive this.
  void require_answers(const AnswerTable& answers) { answers_ = &answers; }
  void require_answers(const AnswerTable&&) = delete;

  std::size_t experts() const { return on_duty_.size(); }
  bool is_on_duty(ExpertId expert) const { return on_duty_[index(expert)]; }
  bool may_take(CaseId row, ExpertId expert) const {
    return on_duty_[index(expert)] &&
           (answers_ == nullptr || !answers_->at(row, expert).is_missing());
  }

 private:
  std::vector<bool> on_duty_;
  const AnswerTable* answers_ = nullptr;
};

}  // namespace ifd
