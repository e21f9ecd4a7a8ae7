// Any bytes as gzip: inflated or refused, as bytes and as a file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const std::uint64_t allowed = size % 2 == 0 ? 1 << 13 : 1 << 18;
    ifd::inflate_gzip(bytes, "x.gz", {.max_expansion = 1, .always_allowed = allowed});
    if (ifd::fuzz::one_way(bytes, 16) == 0) ifd::read_file(ifd::fuzz::memory_file(bytes));
  } catch (const ifd::Error&) {
  }
  return 0;
}
