// A policy file told in text (described_policy.h): the policy decides or is refused; it is written
// and read back as it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/described_policy.h"
#include "fuzz/policy_use.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const ifd::PolicyFile file =
        ifd::fuzz::described_policy(std::string(reinterpret_cast<const char*>(data), size));
    const std::string bytes = file.to_bytes();
    const auto read = ifd::PolicyFile::from_bytes(bytes, "fuzz");
    if (read.to_bytes() != bytes || read.method != file.method) std::abort();
    ifd::fuzz::use_policy(read);
  } catch (const ifd::Error&) {
  }
  return 0;
}
