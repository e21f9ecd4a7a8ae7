#include "cli/case_text.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/text_table.h"
#include "command_line/terminal.h"

namespace ifd::cli {
namespace {

std::string candidates_text(const CaseStory& story, const CaseWording& wording) {
  std::vector<std::string> columns = {"expert"};
  for (std::size_t i = 0; i < story.matter; ++i) {
    columns.push_back(fmt::format("on {}", wording.classes.name(story.beliefs[i].class_id)));
  }
  const bool costs = story.prediction_cost.has_value();
  if (wording.expects_gains) columns.push_back("expected");
  if (costs) columns.push_back("expected cost");
  columns.push_back("margin");
  TextTable table(std::move(columns));
  const auto add = [&](const CaseStory::Candidate& candidate) {
    std::vector<std::string> cells = {candidate.name + (candidate.on_duty ? "" : " (off duty)")};
    for (const BetaPosterior& known : candidate.known) {
      const auto [low, high] = known.central_interval(kStoryInterval);
      cells.push_back(
          fmt::format("{} of {} [{:.2f}, {:.2f}]", known.correct(), known.answers(), low, high));
    }
    if (wording.expects_gains) cells.push_back(percent_word(candidate.expected_accuracy));
    if (costs) cells.push_back(story.unit->text(*candidate.expected_cost));
    cells.push_back(margin_word(candidate.margin));
    table.add(std::move(cells));
  };
  for (const CaseStory::Candidate& candidate : story.candidates) add(candidate);
  if (story.better_off_duty) add(*story.better_off_duty);
  std::string out = table.text();
  const std::string others = others_sentence(story);
  return others.empty() ? out : out + wrapped(others) + "\n";
}

std::string flips_text(const CaseStory& story, const CaseWording& wording) {
  const std::vector<std::string> lines = flip_lines(story, wording);
  if (lines.empty()) return {};
  std::string out = flips_title(wording) + "\n";
  for (const std::string& line : lines) {
    const std::size_t width = text_width();
    out += fmt::format("- {}\n", wrapped(line, width > 20 ? width - 2 : width));
  }
  return out;
}

}  // namespace

std::string text_of(const CaseStory& story, const CaseWording& wording) {
  std::string out = bold(case_headline(story), STDOUT_FILENO) + "\n";
  out += wrapped(model_sentence(story, wording.classes)) + "\n";
  out += wrapped(reason_sentence(story, wording)) + "\n";
  if (!story.candidates.empty() || story.better_off_duty) {
    out += fmt::format("\n{}", candidates_text(story, wording));
  }
  const std::string flips = flips_text(story, wording);
  return flips.empty() ? out : fmt::format("{}\n{}", out, flips);
}

}  // namespace ifd::cli
