// Any bytes as CSV. A field that was read, written again, reads the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "ifd/data/csv.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    ifd::CsvReader csv(std::move(bytes), "x.csv");
    while (csv.next()) {
      for (std::size_t i = 0; i < csv.columns().size(); ++i) {
        ifd::CsvReader again("a,b\n" + ifd::csv_field(csv.field(i)) + ",x\n", "copy.csv");
        if (!again.next() || again.field(0) != csv.field(i)) std::abort();
        try {
          csv.number(i);
          csv.float_number(i);
        } catch (const ifd::Error&) {
        }
      }
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
