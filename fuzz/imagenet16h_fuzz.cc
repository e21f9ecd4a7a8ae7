// Any bytes as the study's annotations and predictions.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "ifd/data/imagenet16h.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    try {
      ifd::imagenet16h_annotations_from_bytes(bytes, "a.csv");
    } catch (const ifd::Error&) {
    }
    ifd::imagenet16h_predictions_from_bytes(std::move(bytes), "p.csv", "m",
                                            size % 2 == 1 ? ifd::kEveryNoise : 80);
  } catch (const ifd::Error&) {
  }
  return 0;
}
