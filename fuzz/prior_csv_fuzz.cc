// Tables of priors as CSV; only ifd::Error may escape, and what is accepted has intervals.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "ifd/error.h"
#include "ifd/profile/prior_table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ifd::ClassNames classes({"cat", "dog", "bird"});
  try {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const auto table = size % 16 == 0
                           ? ifd::PriorTable::read(ifd::fuzz::memory_file(bytes), classes)
                           : ifd::PriorTable::from_bytes(bytes, "prior.csv", classes);
    // All of them now and then: an interval takes longer than a line.
    std::size_t left = ifd::fuzz::one_way(bytes, 16) == 0 ? table.experts().size() : 2;
    for (const std::string& expert : table.experts()) {
      if (left-- == 0) break;
      for (const ifd::BetaPrior& prior : table.of(expert, classes.size())) {
        const auto [low, high] = ifd::BetaPosterior(prior).central_interval(.95);
        if (!(low >= 0 && low <= high && high <= 1)) std::abort();
      }
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
