// A case's story in words, for people, and as JSON, for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "ifd/router/case_story.h"

namespace ifd::cli {

// What the words depend on beside the story.
struct CaseWording {
  const ClassNames& classes;
  std::string policy;
  bool expects_gains = false;               // see Router::expects_gains()
  std::optional<double> budget = {};        // share of the cases, where one was given
  std::optional<double> least_margin = {};  // of the budget
  std::size_t cases = 0;                    // in the batch
  std::size_t most_answers = 0;             // that were tried
};

std::string text_of(const CaseStory& story, const CaseWording& wording);
nlohmann::ordered_json json_of(const CaseStory& story, const CaseWording& wording);

}  // namespace ifd::cli
