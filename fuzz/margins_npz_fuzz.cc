// Any bytes as margins or accuracies of others: in the order asked for, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "ifd/data/case_expert_array.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ifd::Predictions kCases(ifd::Predictions::Parts{
      ifd::ClassNames({"x", "y"}), {"a", "b"}, {.75F, .25F, .5F, .5F}, {}, {}, 0});
  const std::vector<std::string> experts = {"ann", "bob"};
  for (const std::size_t depth : {1, 2}) {
    try {
      const auto npz =
          ifd::NpzFile::from_bytes(std::string(reinterpret_cast<const char*>(data), size), "m.npz");
      const auto read = ifd::case_expert_array(npz, "margins", depth, kCases, experts);
      if (read.size() != 4 * depth) std::abort();
    } catch (const ifd::Error&) {
    }
  }
  return 0;
}
