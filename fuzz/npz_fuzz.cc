// Any bytes as NPZ: every array is decoded and converted, or refused. What was read, written and
// read again is the same. Bytes that are no archive tell one (fuzz/described_archive.h).
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "fuzz/described_archive.h"
#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "ifd/data/npz.h"
#include "ifd/error.h"

namespace {

using ifd::NpzFile;

template <class Value>
bool same_bits(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0);
}

// The values in an archive of their own.
class Copy {
 public:
  // Starting to deflate takes longer than all the rest.
  explicit Copy(ifd::fuzz::Draws& draws)
      : packing_(draws.once_in(64) ? ifd::NpzPacking::kDeflated : ifd::NpzPacking::kStored) {}

  template <class Value>
  ifd::NpyArray of(const std::vector<Value>& values, const std::vector<std::size_t>& shape) const {
    ifd::NpzWriter writer(packing_);
    writer.add("a", shape, std::span<const Value>(values));
    return NpzFile::from_bytes(std::move(writer).bytes(), "copy.npz").at("a");
  }

 private:
  ifd::NpzPacking packing_;
};

void convert(const ifd::NpyArray& array, ifd::fuzz::Draws& draws) {
  const Copy copy(draws);
  switch (draws.below(5)) {
    case 0: {
      const auto numbers = array.as_doubles();
      if (!same_bits(copy.of(numbers, array.shape()).as_doubles(), numbers)) std::abort();
      break;
    }
    case 1: {
      const auto numbers = array.as_floats();
      if (!same_bits(copy.of(numbers, array.shape()).as_floats(), numbers)) std::abort();
      break;
    }
    case 2: {
      const auto numbers = array.as_integers();
      if (copy.of(numbers, array.shape()).as_integers() != numbers) std::abort();
      break;
    }
    case 3: {
      const auto bytes = ifd::NpyArray(array).as_bytes();
      if (copy.of(bytes, array.shape()).as_bytes() != bytes) std::abort();
      break;
    }
    default: {
      const auto texts = array.as_strings();
      ifd::NpzWriter writer;
      writer.add("a", texts);
      const auto again = NpzFile::from_bytes(std::move(writer).bytes(), "copy.npz");
      if (again.at("a").as_strings() != texts) std::abort();
    }
  }
}

// Every array is decoded, from a drawn one on, up to the first that is refused, and the drawn one
// is converted.
void read(const std::string& bytes, ifd::fuzz::Draws& draws) {
  ifd::ReadLimits limits;
  if (draws.once_in(8)) limits = {.max_expansion = 1, .always_allowed = 16};
  const NpzFile npz = draws.once_in(64) ? NpzFile::read(ifd::fuzz::memory_file(bytes))
                                        : NpzFile::from_bytes(bytes, "x.npz", limits);
  const std::vector<std::string> names = npz.names();
  if (names.empty()) npz.at("absent");
  const std::size_t drawn = draws.below(names.size());
  if (draws.once_in(4)) npz.header(names[drawn]);
  convert(npz.at(names[drawn]), draws);
  for (std::size_t i = 1; i < names.size(); ++i) npz.at(names[(drawn + i) % names.size()]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ifd::fuzz::Draws draws(bytes);
  try {
    read(draws.once_in(16) ? bytes : ifd::fuzz::described_archive(bytes), draws);
  } catch (const ifd::Error&) {
  }
  return 0;
}
