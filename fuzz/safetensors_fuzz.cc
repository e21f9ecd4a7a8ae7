// Any bytes as safetensors: every tensor lies in the file and is converted, or the file is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "ifd/data/safetensors.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const auto file = ifd::SafetensorsFile::from_bytes(std::move(bytes), "x.safetensors");
    std::size_t total = 0;
    for (const std::string& name : file.names()) {
      total += file.at(name).data.size();
      try {
        file.floats(name);
      } catch (const ifd::Error&) {
        file.integers(name);
      }
    }
    if (total > size) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
