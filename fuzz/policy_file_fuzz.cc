// Whatever the bytes, a policy file is read or refused; what is read is written back as it was, and
// a rule made from it decides or is refused.
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ifd/error.h"
#include "ifd/policy/policy_file.h"
#include "ifd/policy/trained_policy.h"

namespace {

void read(const std::string& bytes) {
  try {
    const ifd::PolicyFile file = ifd::PolicyFile::from_bytes(bytes, "fuzz");
    if (file.to_bytes() != bytes) std::abort();
    const auto rule = ifd::make_trained_rejector(file, ifd::MarginScale::kProbability);
    const ifd::ExtendedRoleState state{{.5, .25, .5, .02, .75, .01}, -.5, .02, 1, .25, .1, 0};
    double value = 0;
    ifd::RejectorScratch scratch;
    if (rule->state_set() == ifd::StateSet::kPaper) {
      rule->evaluate(std::span(&state.roles, 1), std::span(&value, 1), scratch);
    } else {
      rule->evaluate(std::span(&state, 1), std::span(&value, 1), scratch);
    }
  } catch (const ifd::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  // Behind the checksum: the same bytes with a right one at the end.
  const auto sum = crc32_z(0, data, size);
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(sum >> shift));
  read(bytes);
  return 0;
}
