// Any bytes as a MedMNIST file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/described_archive.h"
#include "fuzz/memory_file.h"
#include "ifd/data/medmnist.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes =
      ifd::fuzz::described_archive({reinterpret_cast<const char*>(data), size});
  try {
    try {
      ifd::medmnist_summary_from_bytes(bytes, "x.npz");
    } catch (const ifd::Error&) {
    }
    ifd::medmnist_from_bytes(bytes, "x.npz", ifd::Split::kTrain);
    const auto path = ifd::fuzz::memory_file(bytes);
    ifd::summarize_medmnist(path);
    ifd::read_medmnist(path, ifd::Split::kTest);
  } catch (const ifd::Error&) {
  }
  return 0;
}
