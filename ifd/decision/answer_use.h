// What becomes of an expert's answer.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace ifd {

enum class AnswerUse {
  kFinal,     // the expert's word is the system's label
  kCombined,  // the label is what model and expert together make most probable, or cheapest
};

inline constexpr std::array kAnswerUses = {AnswerUse::kFinal, AnswerUse::kCombined};

// As users and files write it.
constexpr const char* word_for(AnswerUse use) {
  return use == AnswerUse::kCombined ? "combined" : "final";
}

// Nothing where no use has that name.
constexpr std::optional<AnswerUse> answer_use_named(std::string_view word) {
  for (const AnswerUse use : kAnswerUses) {
    if (word == word_for(use)) return use;
  }
  return std::nullopt;
}

}  // namespace ifd
