// Any bytes as a table of costs: read for the classes there are, or refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/memory_file.h"
#include "ifd/decision/costs_file.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const ifd::ClassNames classes({"cat", "dog", "bird"});
  const ifd::LabelKind labels = size % 3 == 0 ? ifd::LabelKind::kNumbers : ifd::LabelKind::kNames;
  try {
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    ifd::CostTable read = size % 16 == 0
                              ? ifd::read_costs(ifd::fuzz::memory_file(bytes), classes, labels)
                              : ifd::costs_from_bytes(bytes, "c.csv", classes, labels);
    const ifd::Costs costs = ifd::put_together(classes, std::move(read));
    for (std::size_t y = 0; y < classes.size(); ++y) {
      const ifd::ClassId truth = ifd::class_id(y);
      const double worst = costs.of(ifd::Answer::outside(), truth);
      if (costs.at(truth, truth) != 0 || costs.mean_mistake(truth) > worst) std::abort();
      if (!(worst >= 0 && worst <= costs.largest_total())) std::abort();
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
