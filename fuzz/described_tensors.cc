#include "fuzz/described_tensors.h"

#include <algorithm>
#include <cstdint>

#include "ifd/data/little_endian.h"

namespace ifd::fuzz {

std::string described_tensors(std::string_view text) {
  const std::size_t header = std::min(text.find("\n\n"), text.size());
  std::string bytes;
  append_number(bytes, std::uint64_t{header});
  bytes += text.substr(0, header);
  bytes += text.substr(std::min(header + 2, text.size()));
  return bytes;
}

}  // namespace ifd::fuzz
