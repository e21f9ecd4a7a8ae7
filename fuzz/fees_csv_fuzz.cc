// Any bytes as fees: read for the experts there are, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/memory_file.h"
#include "ifd/decision/costs_file.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<std::string> experts = {"ann", "bob"};
  static const ifd::ClassNames classes({"cat", "dog"});
  try {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    ifd::FeeTable read = size % 16 == 0 ? ifd::read_fees(ifd::fuzz::memory_file(bytes), experts)
                                        : ifd::fees_from_bytes(bytes, "f.csv", experts);
    if (read.fees.size() > experts.size() + 1) std::abort();
    const ifd::Costs costs = ifd::put_together(classes, {{0, 1, 2, 0}, "EUR"}, std::move(read));
    costs.check_fees(experts);
    for (const std::string& expert : experts) {
      if (!(costs.fee(expert) >= 0 && 2 + costs.fee(expert) <= costs.largest_total())) std::abort();
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
