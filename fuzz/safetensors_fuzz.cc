// Any bytes as safetensors: every tensor lies in the file and is converted, or the file is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fuzz/described_tensors.h"
#include "fuzz/memory_file.h"
#include "fuzz/one_way.h"
#include "ifd/data/safetensors.h"
#include "ifd/error.h"

namespace {

bool is_float(ifd::SafetensorsType type) {
  using enum ifd::SafetensorsType;
  return type == kF64 || type == kF32 || type == kF16 || type == kBF16;
}

void convert(const ifd::SafetensorsFile& file, const std::string& tensor, bool as_floats) {
  if (as_floats) {
    file.floats(tensor);
  } else {
    file.integers(tensor);
  }
}

// Every tensor as what it is, then one as what it is not.
void read(const std::string& bytes, ifd::fuzz::Draws& draws) {
  const auto file = draws.once_in(64) ? ifd::SafetensorsFile::read(ifd::fuzz::memory_file(bytes))
                                      : ifd::SafetensorsFile::from_bytes(bytes, "x.safetensors");
  std::size_t total = 0;
  const std::vector<std::string> names = file.names();
  for (const std::string& name : names) {
    const auto tensor = file.at(name);
    total += tensor.data.size();
    convert(file, name, is_float(tensor.type));
  }
  if (total > bytes.size()) std::abort();
  if (!draws.once_in(16)) return;
  if (names.empty()) file.at("absent");
  const std::string& name = names[draws.below(names.size())];
  convert(file, name, !is_float(file.at(name).type));
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  ifd::fuzz::Draws draws(bytes);
  try {
    read(draws.once_in(16) ? bytes : ifd::fuzz::described_tensors(bytes), draws);
  } catch (const ifd::Error&) {
  }
  return 0;
}
