// Any bytes as capacities: read for the experts there are, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/memory_file.h"
#include "ifd/error.h"
#include "ifd/router/capacities_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> experts = {"ann", "bob"};
  try {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const auto read = size % 16 == 0 ? ifd::read_capacities(ifd::fuzz::memory_file(bytes), experts)
                                     : ifd::capacities_from_bytes(bytes, "c.csv", experts);
    if (read.size() > experts.size()) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
