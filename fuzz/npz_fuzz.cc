// Any bytes as NPZ: every array is decoded and converted, or refused.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "ifd/data/npz.h"
#include "ifd/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  try {
    const ifd::NpzFile npz = ifd::NpzFile::from_bytes(std::move(bytes), "x.npz");
    for (const std::string& name : npz.names()) {
      try {
        npz.header(name);
        const ifd::NpyArray array = npz.at(name);
        if (array.header().kind == ifd::NpyKind::kText ||
            array.header().kind == ifd::NpyKind::kBytes) {
          array.as_strings();
        } else {
          array.as_doubles();
          array.as_floats();
          array.as_integers();
        }
      } catch (const ifd::Error&) {
      }
    }
  } catch (const ifd::Error&) {
  }
  return 0;
}
