// The cells of an answers file: which class each stands for, which are blank, which are neither.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ifd/data/answer_table.h"
#include "ifd/data/class_names.h"
#include "ifd/data/label_kind.h"

namespace ifd {

// Whether a text stands for nothing: empty, or NA, N/A, NaN, None, null, - or ?, in any letter case
// and with blanks around it.
bool is_blank(std::string_view text);

class AnswerCells {
 public:
  AnswerCells(const ClassNames& classes, LabelKind labels) : classes_(classes), labels_(labels) {}

  // A class; missing where the cell is blank; else outside, which is remembered. A class of the
  // name NA is a class. The texts must outlive this.
  Answer read(std::string_view cell);

  // What was outside, the most frequent first: "'unsure' (3), 'horse' (2) and 4 more", and
  // what they may be instead, class numbers or a class otherwise spelt; empty where nothing was.
  std::string outside() const;

 private:
  const ClassNames& classes_;
  LabelKind labels_;
  std::unordered_map<std::string_view, std::size_t> outside_;
};

}  // namespace ifd
