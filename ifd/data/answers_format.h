// What a file of answers is to be taken for, where it does not say so itself.
#pragma once

#include <optional>

#include "ifd/data/label_kind.h"

namespace ifd {

// Where the truths of a context come from.
enum class TruthKind {
  kGiven,       // one per case, from the file or the labels
  kRow,         // the file's, row by row: a case may have another truth for another expert
  kOthers,      // computed: what most of the other experts answered
  kMajority,    // computed: what most of the experts answered
  kDawidSkene,  // computed: the likeliest, with experts as reliable as all answers make them
};

inline constexpr TruthKind kTruthKinds[] = {TruthKind::kGiven, TruthKind::kRow, TruthKind::kOthers,
                                            TruthKind::kMajority, TruthKind::kDawidSkene};

// Whether truths come from the answers themselves, and nobody knows them.
constexpr bool is_computed(TruthKind kind) {
  return kind != TruthKind::kGiven && kind != TruthKind::kRow;
}

// given, row, others, majority, dawid-skene.
constexpr const char* word_for(TruthKind kind) {
  switch (kind) {
    case TruthKind::kRow:
      return "row";
    case TruthKind::kOthers:
      return "others";
    case TruthKind::kMajority:
      return "majority";
    case TruthKind::kDawidSkene:
      return "dawid-skene";
    case TruthKind::kGiven:
      break;
  }
  return "given";
}

// What becomes of an answer that was left blank.
enum class BlankAnswers {
  kSkip,   // it was not given
  kWrong,  // it is outside the classes
};

struct AnswersFormat {
  TruthKind truth = TruthKind::kGiven;      // of contexts; the truths of evaluated cases are given
  std::optional<BlankAnswers> blanks = {};  // none: skipped in contexts, wrong in answers
  LabelKind labels = LabelKind::kNames;     // of truths and answers
  bool may_be_empty = false;                // a context that has a header alone is nobody's
};

}  // namespace ifd
