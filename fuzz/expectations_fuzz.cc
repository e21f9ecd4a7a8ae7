// Any text as expectations: what is read is written and read back as it was, or it is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "experiments/claims/expectations.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ifd::experiments;
  try {
    const Expectations read =
        expectations_from_json(std::string(reinterpret_cast<const char*>(data), size), "e.json");
    if (!(expectations_from_json(to_json(read), "e.json") == read)) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
