// Whatever the bytes, mostly behind a right checksum, a policy file is read or refused; what is
// read is written back as it was, and the policy of whatever method is in it decides or is refused.
// What the methods make of metadata and weights is more thoroughly looked at by
// policy_weights_fuzz.cc.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "fuzz/policy_use.h"
#include "fuzz/right_checksum.h"
#include "ifd/error.h"

namespace {

void set_number(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

// The architecture hash that a refusal names as expected; 0 where it is about something else.
std::uint64_t expected_hash(const std::string& message) {
  const std::size_t at = message.find("another architecture");
  const std::size_t expected = message.find("expected ", at);
  if (at == std::string::npos || expected == std::string::npos) return 0;
  return std::strtoull(message.c_str() + expected + 9, nullptr, 16);
}

enum class Repair { kAllowed, kDone };

void read(std::string bytes, Repair repair) {
  ifd::fuzz::Draws draws(bytes);
  try {
    const ifd::PolicyFile file = draws.once_in(64)
                                     ? ifd::PolicyFile::read(ifd::fuzz::memory_file(bytes))
                                     : ifd::PolicyFile::from_bytes(bytes, "fuzz");
    if (file.to_bytes() != bytes) std::abort();
    ifd::fuzz::use_policy(file, draws);
  } catch (const ifd::Error& error) {
    const std::uint64_t hash = expected_hash(error.what());
    if (hash == 0 || repair == Repair::kDone) return;
    set_number(bytes, 12, hash, 8);
    ifd::fuzz::set_checksum(bytes);
    read(std::move(bytes), Repair::kDone);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  if (!ifd::fuzz::Draws(bytes).once_in(16)) ifd::fuzz::set_checksum(bytes);
  read(std::move(bytes), Repair::kAllowed);
  return 0;
}
