// Any text as the file of a finished job: what is read is written and read back as it was, or it is
// refused. As a file of the cache it counts or does not.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "experiments/result/job_result.h"
#include "fuzz/memory_file.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ifd::experiments;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    if (size % 16 == 0) read_result(ifd::fuzz::memory_file(bytes), "k");
    const JobResult read = result_from_json(bytes);
    if (!(result_from_json(to_json(read, "j", "k")) == read)) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
