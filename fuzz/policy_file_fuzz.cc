// Whatever the bytes, a policy file is read or refused; what is read is written back as it was, and
// the policy of whatever method is in it decides or is refused.
#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "ifd/error.h"
#include "ifd/policy/policy_catalogue.h"

namespace {

// Two cases of the classes that the seeds know, with as many features as the file asks for.
ifd::Predictions cases_for(const ifd::PolicyFile& file) {
  const ifd::Tensor* mean = file.find("feature_mean");
  const std::size_t width = mean == nullptr ? 0 : std::min<std::size_t>(mean->values.size(), 64);
  return ifd::Predictions(ifd::Predictions::Parts{ifd::ClassNames({"x", "y"}),
                                                  {"a", "b"},
                                                  {.75F, .25F, .5F, .5F},
                                                  {},
                                                  std::vector<float>(2 * width, .5F),
                                                  width});
}

void decide(const ifd::PolicyFile& file) {
  const ifd::Predictions cases = cases_for(file);
  const std::vector<ifd::ExpertContext> contexts = {
      {"ann", {{"a", ifd::ClassId{0}, ifd::ClassId{0}}, {"b", ifd::ClassId{1}, ifd::ClassId{0}}}},
      {"bob", {}}};
  const ifd::Roster roster = ifd::make_roster(contexts, 2);
  ifd::PolicyMaterials materials{roster};
  materials.contexts = contexts;
  materials.context_predictions = &cases;
  const auto source = ifd::PolicySource::from_file(file, materials.settings());
  const auto policy = source.make(materials);
  std::vector<double> margins(2 * policy->experts());
  policy->score(cases, {0, 2}, margins);
}

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
    const ifd::PolicyFile file = ifd::PolicyFile::from_bytes(bytes, "fuzz");
    if (file.to_bytes() != bytes) std::abort();
    decide(file);
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
