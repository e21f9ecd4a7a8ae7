// Bytes as a gzip file holds them.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

namespace ifd {

struct Deflating {
  int level = 6;
  int memory = 8;
};

inline std::string gzip(std::string_view bytes, Deflating how = {}) {
  z_stream stream{};
  deflateInit2(&stream, how.level, Z_DEFLATED, 15 + 16, how.memory, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace ifd
