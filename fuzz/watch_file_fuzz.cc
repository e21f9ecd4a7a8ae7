// Whatever the bytes, mostly behind a right checksum, a watch file is read or refused; what is read
// writes the same watch, and can be told.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "fuzz/right_checksum.h"
#include "ifd/error.h"
#include "ifd/watch/kept_watch.h"

namespace {

void read(const std::string& bytes, ifd::fuzz::Draws& draws) {
  ifd::KeptWatch kept = draws.once_in(64) ? ifd::KeptWatch::read(ifd::fuzz::memory_file(bytes))
                                          : ifd::KeptWatch::from_bytes(bytes, "fuzz");
  const std::string written = kept.to_bytes();
  const ifd::KeptWatch again = ifd::KeptWatch::from_bytes(written, "fuzz");
  if (!(again == kept) || again.to_bytes() != written) std::abort();
  if (again.watch.findings() != kept.watch.findings()) std::abort();
  if (kept.difference(again.classes) || kept.difference(again.watch.options())) std::abort();
  const auto& names = again.watch.names();
  if (names.empty()) return;
  kept.watch.observe(names[draws.below(names.size())],
                     {.truth = ifd::ClassId{0}, .answer = ifd::Answer::outside()});
  if (kept == again) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  ifd::fuzz::Draws draws(bytes);
  if (!draws.once_in(16)) ifd::fuzz::set_checksum(bytes);
  try {
    read(bytes, draws);
  } catch (const ifd::Error&) {
  }
  return 0;
}
