// Any bytes as margins or accuracies of others: in the order asked for, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/described_archive.h"
#include "fuzz/memory_file.h"
#include "ifd/data/case_expert_array.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ifd::Predictions cases(ifd::Predictions::Parts{
      ifd::ClassNames({"x", "y"}), {"a", "b"}, {.75F, .25F, .5F, .5F}, {}, {}, 0});
  const std::vector<std::string> experts = {"ann", "bob"};
  const std::string bytes =
      ifd::fuzz::described_archive({reinterpret_cast<const char*>(data), size});
  try {
    const auto npz = ifd::NpzFile::from_bytes(bytes, "m.npz");
    if (ifd::case_expert_array(npz, "margins", 1, cases, experts).size() != 4) std::abort();
  } catch (const ifd::Error&) {
  }
  if (size % 8 != 0) return 0;
  const auto path = ifd::fuzz::memory_file(bytes);
  try {
    if (ifd::read_margins(path, cases, experts).size() != 4) std::abort();
  } catch (const ifd::Error&) {
  }
  try {
    if (ifd::read_accuracies(path, cases, experts).size() != 8) std::abort();
  } catch (const ifd::Error&) {
  }
  return 0;
}
