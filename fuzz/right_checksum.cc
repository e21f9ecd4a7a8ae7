#include "fuzz/right_checksum.h"

#include <zlib.h>

#include "ifd/data/little_endian.h"

namespace ifd::fuzz {

void set_checksum(std::string& bytes) {
  if (bytes.size() < 4) return;
  bytes.resize(bytes.size() - 4);
  const auto checksum = crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  append_number(bytes, static_cast<std::uint32_t>(checksum));
}

}  // namespace ifd::fuzz
