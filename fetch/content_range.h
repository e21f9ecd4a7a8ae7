// Which part of a file a server sends, as its answer's header says.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ifd {

// The first byte of "Content-Range: bytes 100-199/200" (or .../*), in whatever case and with
// whatever blanks HTTP allows; none for any other line and for "bytes */200", which names no part.
std::optional<std::uint64_t> first_byte_sent(std::string_view header_line);

}  // namespace ifd
