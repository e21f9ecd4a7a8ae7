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

template <class Read>
void attempt(const Read& read) {
  try {
    read();
  } catch (const ifd::Error&) {
  }
}

template <class Value>
bool same_bits(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0);
}

template <class Value>
NpzFile written(const std::vector<Value>& values, const std::vector<std::size_t>& shape) {
  // Starting to deflate takes longer than all the rest.
  ifd::NpzWriter writer(values.size() % 8 == 7 ? ifd::NpzPacking::kDeflated
                                               : ifd::NpzPacking::kStored);
  writer.add("a", shape, std::span<const Value>(values));
  return NpzFile::from_bytes(std::move(writer).bytes(), "copy.npz");
}

void convert(const ifd::NpyArray& array, std::size_t way) {
  switch (way) {
    case 0: {
      const auto numbers = array.as_doubles();
      if (!same_bits(written(numbers, array.shape()).at("a").as_doubles(), numbers)) std::abort();
      break;
    }
    case 1: {
      const auto numbers = array.as_floats();
      if (!same_bits(written(numbers, array.shape()).at("a").as_floats(), numbers)) std::abort();
      break;
    }
    case 2: {
      const auto numbers = array.as_integers();
      if (written(numbers, array.shape()).at("a").as_integers() != numbers) std::abort();
      break;
    }
    case 3: {
      const auto bytes = ifd::NpyArray(array).as_bytes();
      if (written(bytes, array.shape()).at("a").as_bytes() != bytes) std::abort();
      break;
    }
    default: {
      const auto texts = array.as_strings();
      ifd::NpzWriter writer;
      writer.add("a", texts);
      const auto copy = NpzFile::from_bytes(std::move(writer).bytes(), "copy.npz");
      if (copy.at("a").as_strings() != texts) std::abort();
    }
  }
}

void read(const std::string& bytes) {
  ifd::ReadLimits limits;
  if (bytes.size() % 4 == 1) limits = {.max_expansion = 1, .always_allowed = 16};
  attempt([&] {
    const NpzFile npz = bytes.size() % 64 == 0 ? NpzFile::read(ifd::fuzz::memory_file(bytes))
                                               : NpzFile::from_bytes(bytes, "x.npz", limits);
    for (const std::string& name : npz.names()) {
      attempt([&] { npz.header(name); });
      attempt([&] { convert(npz.at(name), ifd::fuzz::one_way(bytes, 5)); });
    }
    npz.at("absent");
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const bool as_it_is = ifd::is_zip(bytes) || ifd::fuzz::one_way(bytes, 16) == 0;
  read(as_it_is ? bytes : ifd::fuzz::described_archive(bytes));
  return 0;
}
