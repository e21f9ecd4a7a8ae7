// What becomes of an expert's answer.
#pragma once

namespace ifd {

enum class AnswerUse {
  kFinal,     // the expert's word is the system's label
  kCombined,  // the label is what model and expert together make most probable
};

}  // namespace ifd
