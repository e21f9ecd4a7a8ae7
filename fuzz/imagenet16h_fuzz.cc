// Any bytes as the study's annotations and predictions.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/memory_file.h"
#include "ifd/data/imagenet16h.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const int noise = size % 2 == 1 ? ifd::kEveryNoise : 80;
  const bool as_file = size % 16 < 2;
  try {
    if (as_file) {
      ifd::read_imagenet16h_annotations(ifd::fuzz::memory_file(bytes));
    } else {
      ifd::imagenet16h_annotations_from_bytes(bytes, "a.csv");
    }
  } catch (const ifd::Error&) {
  }
  try {
    if (as_file) {
      ifd::read_imagenet16h_predictions(ifd::fuzz::memory_file(bytes), "m", noise);
    } else {
      ifd::imagenet16h_predictions_from_bytes(bytes, "p.csv", "m", noise);
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
