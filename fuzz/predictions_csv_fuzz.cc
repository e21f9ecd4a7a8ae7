// Any bytes as predictions, CSV or NPZ, of either kind of score.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "ifd/data/predictions_file.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const bool logits = size % 2 == 1;
    ifd::predictions_from_bytes(std::move(bytes), "p.csv",
                                logits ? ifd::ScoreKind::kLogits : ifd::ScoreKind::kProbabilities);
  } catch (const ifd::Error&) {
  }
  return 0;
}
