// Any bytes as predictions, CSV, NPZ or .npy, of either kind of score and unit.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/described_archive.h"
#include "fuzz/memory_file.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"

namespace {

ifd::PredictionsFormat percentages_and_numbers() {
  ifd::PredictionsFormat format;
  format.unit = ifd::ProbabilityUnit::kPercent;
  format.labels = ifd::LabelKind::kNumbers;
  return format;
}

void read(const std::string& bytes, const ifd::PredictionsFormat& scores) {
  try {
    if (bytes.size() % 16 == 0) {
      ifd::read_predictions(ifd::fuzz::memory_file(bytes), scores);
    } else {
      ifd::ReadLimits limits;
      if (bytes.size() % 16 == 1) limits = {.max_expansion = 1, .always_allowed = 0};
      ifd::predictions_from_bytes(bytes, "p.csv", scores, limits);
      ifd::PredictionsFormat with_groups = scores;
      with_groups.group_column = "g";
      const auto grouped = ifd::grouped_predictions_from_bytes(bytes, "p.csv", with_groups, limits);
      if (!grouped.groups.empty() && grouped.groups.size() != grouped.cases.size()) std::abort();
    }
  } catch (const ifd::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes, ifd::ScoreKind::kProbabilities);
  read(bytes, ifd::ScoreKind::kLogits);
  read(bytes, percentages_and_numbers());
  // CSV begins with a line of names; an archive that is told in text has blanks in its first line.
  if (bytes.find(' ') < bytes.find('\n')) {
    read(ifd::fuzz::described_archive(bytes), ifd::ScoreKind::kProbabilities);
  }
  return 0;
}
