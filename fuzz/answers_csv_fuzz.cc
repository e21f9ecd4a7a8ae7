// Any bytes as contexts and as answers.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "ifd/data/answers_file.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const ifd::Predictions predictions({ifd::ClassNames({"a", "b"}),
                                        {"x", "y"},
                                        {0.5F, 0.5F, 0.25F, 0.75F},
                                        {ifd::ClassId{0}, ifd::ClassId{1}},
                                        {},
                                        0});
    try {
      ifd::contexts_from_bytes(bytes, "c.csv", predictions.classes(), &predictions);
    } catch (const ifd::Error&) {
    }
    ifd::answers_from_bytes(std::move(bytes), "a.csv", predictions);
  } catch (const ifd::Error&) {
  }
  return 0;
}
