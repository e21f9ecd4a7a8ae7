// Any bytes as margins or accuracies of others: in the order asked for, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/described_archive.h"
#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "ifd/data/case_expert_array.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ifd::Predictions cases(ifd::Predictions::Parts{
      ifd::ClassNames({"x", "y"}), {"a", "b"}, {.75F, .25F, .5F, .5F}, {}, {}, 0});
  static const std::vector<std::string> experts = {"ann", "bob"};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string bytes = ifd::fuzz::described_archive(text);
  try {
    switch (ifd::fuzz::one_way(text, 64)) {
      case 0:
        if (ifd::read_margins(ifd::fuzz::memory_file(bytes), cases, experts).size() != 4) {
          std::abort();
        }
        break;
      case 1:
        if (ifd::read_accuracies(ifd::fuzz::memory_file(bytes), cases, experts).size() != 8) {
          std::abort();
        }
        break;
      default: {
        const auto npz = ifd::NpzFile::from_bytes(bytes, "m.npz");
        const bool margins = npz.contains("margins");
        const auto read = ifd::case_expert_array(npz, margins ? "margins" : "accuracies",
                                                 margins ? 1 : 2, cases, experts);
        if (read.size() != (margins ? 4 : 8)) std::abort();
      }
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
