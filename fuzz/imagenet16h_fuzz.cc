// Any bytes as ImageNet-16H's annotations and predictions.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "ifd/data/imagenet16h.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const int noise = size % 2 == 1 ? ifd::kEveryNoise : 80;
  try {
    switch (ifd::fuzz::one_way(bytes, 16)) {
      case 0:
        ifd::read_imagenet16h_annotations(ifd::fuzz::memory_file(bytes));
        break;
      case 1:
        ifd::read_imagenet16h_predictions(ifd::fuzz::memory_file(bytes), "m", noise);
        break;
      case 2:
      case 3:
      case 4:
      case 5:
      case 6:
      case 7:
      case 8:
        ifd::imagenet16h_annotations_from_bytes(bytes, "a.csv");
        break;
      default:
        ifd::imagenet16h_predictions_from_bytes(bytes, "p.csv", "m", noise);
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
