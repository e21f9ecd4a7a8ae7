// Tables of priors as CSV; only ifd::Error may escape.
#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/memory_file.h"
#include "ifd/error.h"
#include "ifd/profile/prior_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ifd::ClassNames classes({"cat", "dog", "bird"});
  try {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const auto table = size % 16 == 0
                           ? ifd::PriorTable::read(ifd::fuzz::memory_file(bytes), classes)
                           : ifd::PriorTable::from_bytes(bytes, "prior.csv", classes);
    for (const std::string& expert : table.experts()) table.of(expert, classes.size());
  } catch (const ifd::Error&) {
  }
  return 0;
}
