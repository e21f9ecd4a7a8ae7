// Any bytes as groups of cases: one group for each case, numbered without a gap, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/memory_file.h"
#include "ifd/data/groups_file.h"
#include "ifd/data/predictions_file.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ifd::Predictions cases =
      ifd::predictions_from_bytes("case,a,b\nx,.5,.5\ny,.5,.5\n", "p.csv");
  try {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    const std::vector<std::uint32_t> groups =
        size % 16 == 0 ? ifd::read_groups(ifd::fuzz::memory_file(bytes), cases)
                       : ifd::groups_from_bytes(bytes, "g.csv", cases);
    if (groups.size() != cases.size() || groups[0] != 0 || groups[1] > 1) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
