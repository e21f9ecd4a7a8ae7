// A case's story in sentences.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ifd/router/case_story.h"

namespace ifd {

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

// The central interval of what is known of an expert has this probability.
inline constexpr double kStoryInterval = .95;

// "scan-17: goes to ann"
std::string case_headline(const CaseStory& story);
// "Model: ship 61 %, truck 30 %, 3 others 9 %."
std::string model_sentence(const CaseStory& story, const ClassNames& classes);
// Why it goes where it goes. What is no expected gain is not called one.
std::string reason_sentence(const CaseStory& story, const CaseWording& wording);
// Those on duty who are not told of: with a margin as large as the last who is, or smaller. Empty
// where there are none.
std::string others_sentence(const CaseStory& story);
// What would flip it, one line each, and the line above them; empty where nothing would.
std::vector<std::string> flip_lines(const CaseStory& story, const CaseWording& wording);
std::string flips_title(const CaseWording& wording);

// "41 %", with a decimal where whole numbers would say 0 or 100 of what is neither.
std::string percent_word(double share);
std::string margin_word(double margin);

// All of it for programs: the document of `ifd explain --json`.
std::string explanation_json(const std::vector<CaseStory>& stories, const CaseWording& wording);

}  // namespace ifd
