// Any text as the numbers of a run: what is read is written and read back as it was, or it is
// refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "experiments/report/result_csv.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ifd::experiments;
  try {
    const auto read = rows_from_csv(std::string(reinterpret_cast<const char*>(data), size), "fuzz");
    const std::string written = to_csv(read);
    if (to_csv(rows_from_csv(written, "written")) != written) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
