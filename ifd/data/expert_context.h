// An expert's few past answers with their truths: what a profile is made from.
#pragma once

#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/ids.h"

namespace ifd {

struct ContextRow {
  std::string case_name = {};
  ClassId truth;
  Answer answer;  // never missing; outside the classes counts as wrong

  bool operator==(const ContextRow&) const = default;
};

// An answer whose truth is not known, where truths are what most experts say and they tie.
struct UnjudgedAnswer {
  std::string case_name;
  Answer answer;

  bool operator==(const UnjudgedAnswer&) const = default;
};

struct ExpertContext {
  std::string expert;
  std::vector<ContextRow> rows;
  std::vector<UnjudgedAnswer> unjudged = {};  // part of no profile, but of how far experts agree

  bool operator==(const ExpertContext&) const = default;
};

}  // namespace ifd
