// The five people who scored the sleep recordings of DOD-H, and the networks that did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "experiments/jobs/annotators.h"
#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "ifd/data/read_limits.h"

namespace ifd::experiments {

struct SleepScorers {
  Predictions epochs;   // of thirty seconds, named "recording-number"; nobody knows the truth
  AnswerTable answers;  // of everybody
  std::vector<std::uint32_t> recordings;  // of each epoch, 0..R-1 in the order of the file
  std::size_t recording_count = 0;
  std::string hash = {};

  // Profiles come from the recordings before this one, cases from the others: never from a part of
  // a recording, whose epochs are alike.
  std::size_t first_of_test() const { return recording_count / 2; }
};

// From the folder's predictions.csv and answers.csv (or .csv.gz), or else from the published files
// as a clone of their repository has them (ifd/data/dodh.h). Nothing where neither is there. kPart
// keeps every fifth epoch: for --quick. Error(kBadInput) where there are fewer than four scorers or
// recordings, or an epoch whose name does not tell its recording.
std::optional<SleepScorers> read_sleep_scorers(const std::filesystem::path& folder, Portion portion,
                                               const ReadLimits& limits = {});

}  // namespace ifd::experiments
