// A policy file told in text (described_policy.h): the policy decides or is refused; it is written
// and read back as it was.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "fuzz/described_policy.h"
#include "fuzz/one_way.h"
#include "fuzz/policy_use.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  ifd::fuzz::Draws draws(text);
  try {
    ifd::PolicyFile file = ifd::fuzz::described_policy(text);
    if (draws.once_in(8)) {
      const std::string bytes = file.to_bytes();
      auto read = ifd::PolicyFile::from_bytes(bytes, "fuzz");
      if (read.to_bytes() != bytes || read.method != file.method) std::abort();
      file = std::move(read);
    }
    ifd::fuzz::use_policy(file, draws);
  } catch (const ifd::Error&) {
  }
  return 0;
}
