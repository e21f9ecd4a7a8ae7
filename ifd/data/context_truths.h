// The truths of a context's answers: given with them, or computed from what the experts answered.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "ifd/data/answer_table.h"
#include "ifd/data/answers_format.h"

namespace ifd {

// An answer of a context, before its truth is settled.
struct ContextAnswer {
  std::size_t expert_number;
  std::size_t case_number;
  std::size_t line;
  Answer answer;
  std::optional<ClassId> truth;
};

struct ComputedTruths {
  std::size_t answers = 0;  // that have a truth
  std::size_t cases = 0;    // with such an answer
  std::size_t ties = 0;     // answers without a truth, because as many said one thing as another
  std::size_t alone = 0;    // answers without a truth, because nobody (else) answered a class
  // kDawidSkene: how EM went.
  std::size_t iterations = 0;
  bool settled = true;

  // What a note says of them, behind the file's name.
  std::string summary(TruthKind kind) const;
};

// Gives every answer the truth that most of the experts (kMajority), or most of the others
// (kOthers), say, or that is likeliest by the others' answers (kDawidSkene), and none where they
// tie or say nothing. Case numbers are below `cases`. Time is linear in answers, cases and classes;
// for kDawidSkene in answers x classes, per iteration of EM, and see fit_dawid_skene for its limit.
ComputedTruths compute_truths(std::span<ContextAnswer> answers, std::size_t cases,
                              std::size_t classes, TruthKind kind);

}  // namespace ifd
