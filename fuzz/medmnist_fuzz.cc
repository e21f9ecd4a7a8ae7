// Any bytes as a MedMNIST file.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "ifd/data/medmnist.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    try {
      ifd::medmnist_summary_from_bytes(bytes, "x.npz");
    } catch (const ifd::Error&) {
    }
    ifd::medmnist_from_bytes(std::move(bytes), "x.npz", ifd::Split::kTrain);
  } catch (const ifd::Error&) {
  }
  return 0;
}
