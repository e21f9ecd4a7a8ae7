// Whatever the bytes, a watch file is read or refused; what is read writes the same watch, and can
// be told.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>

#include "fuzz/memory_file.h"
#include "ifd/data/binary_file.h"
#include "ifd/error.h"
#include "ifd/watch/kept_watch.h"

namespace {

void read(const std::string& bytes) {
  try {
    ifd::KeptWatch kept = bytes.size() % 64 == 0
                              ? ifd::KeptWatch::read(ifd::fuzz::memory_file(bytes))
                              : ifd::KeptWatch::from_bytes(bytes, "fuzz");
    const std::string written = kept.to_bytes();
    const ifd::KeptWatch again = ifd::KeptWatch::from_bytes(written, "fuzz");
    if (!(again == kept) || again.to_bytes() != written) std::abort();
    if (again.watch.findings() != kept.watch.findings()) std::abort();
    if (kept.difference(again.classes) || kept.difference(again.watch.options())) std::abort();
    for (const std::string& name : again.watch.names()) {
      kept.watch.observe(name, {.truth = ifd::ClassId{0}, .answer = ifd::Answer::outside()});
      if (kept == again) std::abort();
    }
  } catch (const ifd::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  // Behind the checksum: the same bytes with a right one at the end.
  ifd::BinaryWriter checked;
  checked.raw(bytes);
  read(std::move(checked).with_checksum());
  return 0;
}
