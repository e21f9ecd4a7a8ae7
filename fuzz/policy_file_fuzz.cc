// Whatever the bytes, a policy file is read or refused; what is read is written back as it was, and
// the policy of whatever method is in it decides or is refused. What the methods make of metadata
// and weights is more thoroughly looked at by policy_weights_fuzz.cc.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "fuzz/memory_file.h"
#include "fuzz/policy_use.h"
#include "ifd/error.h"

namespace {

void set_number(std::string& bytes, std::size_t at, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes[at + i] = static_cast<char>(value >> (8 * i));
}

void set_checksum(std::string& bytes) {
  const std::size_t body = bytes.size() - 4;
  set_number(bytes, body, crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), body), 4);
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
  try {
    const ifd::PolicyFile file = bytes.size() % 64 == 0
                                     ? ifd::PolicyFile::read(ifd::fuzz::memory_file(bytes))
                                     : ifd::PolicyFile::from_bytes(bytes, "fuzz");
    if (file.to_bytes() != bytes) std::abort();
    ifd::fuzz::use_policy(file);
  } catch (const ifd::Error& error) {
    const std::uint64_t hash = expected_hash(error.what());
    if (hash == 0 || repair == Repair::kDone) return;
    set_number(bytes, 12, hash, 8);
    set_checksum(bytes);
    read(std::move(bytes), Repair::kDone);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes, Repair::kAllowed);
  // Behind the checksum: the same bytes with a right one at the end.
  bytes.append(4, '\0');
  set_checksum(bytes);
  read(std::move(bytes), Repair::kAllowed);
  return 0;
}
