// Any bytes as predictions, CSV, NPZ or .npy, of either kind of score and unit.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/described_archive.h"
#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"

namespace {

ifd::PredictionsFormat percentages_and_numbers() {
  ifd::PredictionsFormat format;
  format.unit = ifd::ProbabilityUnit::kPercent;
  format.labels = ifd::LabelKind::kNumbers;
  return format;
}

ifd::PredictionsFormat with_groups(ifd::PredictionsFormat format) {
  format.group_column = "g";
  return format;
}

void read(const std::string& bytes, const ifd::PredictionsFormat& format) {
  ifd::ReadLimits limits;
  if (bytes.size() % 16 == 1) limits = {.max_expansion = 1, .always_allowed = 0};
  switch (ifd::fuzz::one_way(bytes, 7)) {
    case 0:
      ifd::read_predictions(ifd::fuzz::memory_file(bytes), format);
      break;
    case 1:
    case 2:
    case 3: {
      const auto grouped =
          ifd::grouped_predictions_from_bytes(bytes, "p.csv", with_groups(format), limits);
      if (!grouped.groups.empty() && grouped.groups.size() != grouped.cases.size()) std::abort();
      break;
    }
    default:
      ifd::predictions_from_bytes(bytes, "p.csv", format, limits);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ifd::PredictionsFormat formats[] = {
      ifd::ScoreKind::kProbabilities, ifd::ScoreKind::kLogits, percentages_and_numbers()};
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    // CSV begins with a line of names; an archive that is told in text has blanks in its first
    // line.
    if (bytes.find(' ') < bytes.find('\n') && ifd::fuzz::one_way(bytes, 2) == 0) {
      read(ifd::fuzz::described_archive(bytes), ifd::ScoreKind::kProbabilities);
    } else {
      read(bytes, formats[ifd::fuzz::one_way(bytes, 3)]);
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
