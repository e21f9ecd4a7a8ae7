// Any bytes as a MedMNIST file.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/described_archive.h"
#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "ifd/data/medmnist.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string bytes = ifd::fuzz::described_archive(text);
  ifd::fuzz::Draws draws(text);
  const ifd::Split splits[] = {ifd::Split::kTrain, ifd::Split::kValidation, ifd::Split::kTest};
  const ifd::Split split = splits[draws.below(3)];
  try {
    switch (draws.below(64)) {
      case 0:
        ifd::summarize_medmnist(ifd::fuzz::memory_file(bytes));
        break;
      case 1:
        ifd::read_medmnist(ifd::fuzz::memory_file(bytes), split);
        break;
      default:
        if (draws.once_in(2)) {
          ifd::medmnist_summary_from_bytes(bytes, "x.npz");
        } else {
          ifd::medmnist_from_bytes(bytes, "x.npz", split);
        }
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
