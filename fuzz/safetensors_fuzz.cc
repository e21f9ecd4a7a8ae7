// Any bytes as safetensors: every tensor lies in the file and is converted, or the file is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/described_tensors.h"
#include "fuzz/memory_file.h"
#include "ifd/data/safetensors.h"
#include "ifd/error.h"

namespace {

void read(const std::string& bytes) {
  try {
    const auto file = bytes.size() % 64 == 0
                          ? ifd::SafetensorsFile::read(ifd::fuzz::memory_file(bytes))
                          : ifd::SafetensorsFile::from_bytes(bytes, "x.safetensors");
    std::size_t total = 0;
    for (const std::string& name : file.names()) {
      total += file.at(name).data.size();
      try {
        file.floats(name);
        file.integers(name);
      } catch (const ifd::Error&) {
      }
      try {
        file.integers(name);
      } catch (const ifd::Error&) {
      }
    }
    if (total > bytes.size()) std::abort();
    file.at("absent");
  } catch (const ifd::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  read(ifd::fuzz::described_tensors(bytes));
  return 0;
}
