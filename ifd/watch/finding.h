// What a watch has found of an expert.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ifd/ids.h"

namespace ifd {

enum class FindingKind {
  kWorse,
  kBetter,
  kCoin,       // answers that are worth no more than those of a coin
  kExchanged,  // two classes are called by each other's names
};

// worse, better, coin, exchanged.
constexpr const char* word_for(FindingKind kind) {
  switch (kind) {
    case FindingKind::kBetter:
      return "better";
    case FindingKind::kCoin:
      return "coin";
    case FindingKind::kExchanged:
      return "exchanged";
    case FindingKind::kWorse:
      break;
  }
  return "worse";
}

struct RightAnswers {
  std::uint64_t right = 0;
  std::uint64_t of = 0;

  // NaN where there are none.
  double share() const { return static_cast<double>(right) / static_cast<double>(of); }
  void count(bool is_right) {
    ++of;
    right += is_right ? 1 : 0;
  }
  bool operator==(const RightAnswers&) const = default;
};

struct Finding {
  std::string expert = {};
  FindingKind kind = FindingKind::kWorse;
  std::optional<ClassId> class_id = {};  // none: all classes together
  std::optional<ClassId> other = {};     // the class that it is exchanged with
  // In new answers of this expert, from 1: the first that it seems to be about, and the one that it
  // was found with. 0: answers of before.
  std::uint64_t since = 0;
  std::uint64_t found_at = 0;
  // Answers on the class (on both, where two are exchanged), until then and since, when found.
  RightAnswers before = {};
  RightAnswers after = {};
  // Where there is nothing to find, the chance that anything in the whole watch ever looks as
  // much like a finding is at most p. Found: p is at most the watch's false alarms.
  double p = 1;

  bool operator==(const Finding&) const = default;
};

}  // namespace ifd
