#include "cli/answer_options.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "ifd/error.h"

namespace ifd::cli {

void add_answer_option(CLI::App& command, std::string& answer) {
  std::vector<std::string> words;
  for (const AnswerUse use : kAnswerUses) words.emplace_back(word_for(use));
  command
      .add_option("--answer", answer,
                  "What becomes of an expert's answer: final, or combined with the model's "
                  "probabilities")
      ->check(CLI::IsMember(std::move(words)))
      ->capture_default_str();
}

AnswerUse answer_use(const std::string& word) {
  return answer_use_named(word).value_or(AnswerUse::kFinal);  // others are refused when parsed
}

void AdviceInputs::add_to(CLI::App& command) {
  command.add_option("--sure", sure,
                     "A label at least this probable is settled; below, somebody else should look "
                     "(0.9)");
  command.add_option("--worth", worth,
                     "Ask a second reader who raises the chance of a right label by this much; "
                     "otherwise escalate (0.01)");
}

AdviceOptions AdviceInputs::options() const {
  AdviceOptions made;
  if (sure && !(*sure > 0 && *sure <= 1)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--sure {}: expected a probability above 0, up to 1", *sure));
  }
  if (worth && !(*worth >= 0 && *worth <= 1)) {
    throw Error(ErrorKind::kUsage,
                fmt::format("--worth {}: expected a gain in probability, 0..1", *worth));
  }
  made.sure = sure.value_or(made.sure);
  made.worth = worth.value_or(made.worth);
  return made;
}

}  // namespace ifd::cli
