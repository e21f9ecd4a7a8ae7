// What each expert answered on each case: N x J, experts as data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ifd/checked_place.h"
#include "ifd/error.h"
#include "ifd/ids.h"

namespace ifd {

// An expert's answer on a case: a class, something outside the classes (an abstention counts as
// that), or nothing at all.
class Answer {
 public:
  static constexpr Answer missing() { return Answer(kMissing); }
  static constexpr Answer outside() { return Answer(kOutside); }
  // Error(kBadInput) for a number that no class has: in 16 bits it would be another one.
  constexpr Answer(ClassId id) : code_(static_cast<std::int16_t>(id)) {
    if (static_cast<std::uint32_t>(id) > INT16_MAX) refuse(id);
  }

  constexpr bool is_missing() const { return code_ == kMissing; }
  constexpr bool is_outside() const { return code_ == kOutside; }
  constexpr bool is(ClassId id) const { return code_ == static_cast<std::int32_t>(id); }
  // Only where it is neither missing nor outside.
  constexpr ClassId as_class() const { return static_cast<ClassId>(code_); }

  constexpr bool operator==(const Answer&) const = default;

 private:
  static constexpr std::int16_t kMissing = -1;
  static constexpr std::int16_t kOutside = -2;
  constexpr explicit Answer(std::int16_t code) : code_(code) {}
  [[noreturn]] static void refuse(ClassId id) {
    throw bad_input(std::to_string(static_cast<std::int32_t>(id)) +
                    " is not a class; expected 0..32767");
  }
  std::int16_t code_;
};

class AnswerTable {
 public:
  AnswerTable(std::vector<std::string> experts, std::size_t cases)
      : experts_(std::move(experts)),
        cases_(cases),
        answers_(experts_.size() * cases, Answer::missing()) {}

  std::size_t cases() const { return cases_; }
  std::size_t experts() const { return experts_.size(); }
  const std::vector<std::string>& expert_names() const& { return experts_; }
  std::vector<std::string> expert_names() const&& { return experts_; }

  // Error(kNotFound) for a row or an expert that is not there.
  Answer at(CaseId row, ExpertId expert) const { return answers_[place(row, expert)]; }
  void set(CaseId row, ExpertId expert, Answer answer) { answers_[place(row, expert)] = answer; }

  // The same experts on these rows, in this order.
  AnswerTable subset(std::span<const std::size_t> rows) const {
    AnswerTable part(experts_, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (std::size_t j = 0; j < experts(); ++j) {
        part.set(case_id(i), expert_id(j), at(case_id(rows[i]), expert_id(j)));
      }
    }
    return part;
  }

 private:
  std::size_t place(CaseId row, ExpertId expert) const {
    return checked_place("row", index(row), cases_) * experts_.size() +
           checked_place("expert", index(expert), experts_.size());
  }

  std::vector<std::string> experts_;
  std::size_t cases_;
  std::vector<Answer> answers_;
};

}  // namespace ifd
