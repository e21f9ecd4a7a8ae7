// Any line as the header of a server's answer: the first byte it names stands in the line, and a
// line that names it alone is read as the same; or it is no Content-Range.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "fetch/content_range.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using ifd::first_byte_sent;
  const std::string line(reinterpret_cast<const char*>(data), size);
  for (const std::string& tried : {line, "Content-Range: bytes " + line}) {
    const auto first = first_byte_sent(tried);
    if (!first) continue;
    const std::string words = std::to_string(*first) + "-";
    if (tried.find(words) == std::string::npos) std::abort();
    if (first_byte_sent("content-range: bytes " + words) != first) std::abort();
  }
  return 0;
}
