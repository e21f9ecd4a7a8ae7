// Any bytes as gzip: inflated or refused.
#include <cstddef>
#include <cstdint>
#include <string>

#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    ifd::inflate_gzip(bytes, "x.gz", {.max_expansion = 1, .always_allowed = 1 << 24});
  } catch (const ifd::Error&) {
  }
  return 0;
}
