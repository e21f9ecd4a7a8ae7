#include "experiments/jobs/sleep_scorers.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "ifd/data/answers_file.h"
#include "ifd/data/dodh.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"
#include "ifd/fnv_hash.h"

namespace ifd::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kEpochsPerKept = 5;  // with Portion::kPart

std::optional<fs::path> table_in(const fs::path& folder, const std::string& stem) {
  for (const char* end : {".csv.gz", ".csv"}) {
    if (fs::exists(folder / (stem + end))) return folder / (stem + end);
  }
  return std::nullopt;
}

std::optional<ScoredSleep> read_either(const fs::path& folder, const ReadLimits& limits) {
  const auto predictions = table_in(folder, "predictions");
  const auto answers = table_in(folder, "answers");
  if (predictions && answers) {
    Predictions epochs = read_predictions(*predictions, {}, limits);
    AnswerTable table = read_answers(*answers, epochs, limits).table;
    return ScoredSleep{std::move(epochs), std::move(table)};
  }
  if (is_dodh_clone(folder)) return read_dodh_clone(folder, limits);
  return std::nullopt;
}

// The recordings in the order in which they begin.
void number_recordings(SleepScorers& scorers, const fs::path& folder) {
  std::map<std::string, std::uint32_t> numbers;
  for (std::size_t row = 0; row < scorers.epochs.size(); ++row) {
    const std::string name = scorers.epochs.case_name(row);
    const std::size_t dash = name.rfind('-');
    if (dash == std::string::npos || dash == 0) {
      throw bad_input(
          fmt::format("{}: epoch '{}'; expected a name such as r03-0017", folder.string(), name));
    }
    const auto next = static_cast<std::uint32_t>(numbers.size());
    scorers.recordings.push_back(numbers.try_emplace(name.substr(0, dash), next).first->second);
  }
  scorers.recording_count = numbers.size();
}

std::string hash_of_scorers(const SleepScorers& scorers) {
  FnvHash hash;
  const auto probabilities = scorers.epochs.all_probabilities();
  hash.add(std::string_view(reinterpret_cast<const char*>(probabilities.data()),
                            probabilities.size() * sizeof(float)));
  for (std::size_t row = 0; row < scorers.epochs.size(); ++row) {
    hash.add(scorers.epochs.case_name(row));
    for (std::size_t j = 0; j < scorers.answers.experts(); ++j) {
      const Answer answer = scorers.answers.at(case_id(row), expert_id(j));
      const bool stage = !answer.is_missing() && !answer.is_outside();
      hash.add(std::uint64_t{stage ? index(answer.as_class()) + 2
                                   : static_cast<std::size_t>(answer.is_missing())});
    }
  }
  return hash.hex();
}

}  // namespace

std::optional<SleepScorers> read_sleep_scorers(const fs::path& folder, Portion portion,
                                               const ReadLimits& limits) {
  auto read = read_either(folder, limits);
  if (!read) return std::nullopt;
  if (portion == Portion::kPart) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < read->predictions.size(); row += kEpochsPerKept) {
      rows.push_back(row);
    }
    read->predictions = read->predictions.subset(rows);
    read->answers = read->answers.subset(rows);
  }
  SleepScorers scorers{std::move(read->predictions), std::move(read->answers), {}};
  number_recordings(scorers, folder);
  if (scorers.answers.experts() < 4 || scorers.recording_count < 4) {
    throw bad_input(fmt::format("{}: {} scorers and {} recordings; expected at least 4 of each",
                                folder.string(), scorers.answers.experts(),
                                scorers.recording_count));
  }
  scorers.hash = hash_of_scorers(scorers);
  return scorers;
}

}  // namespace ifd::experiments
