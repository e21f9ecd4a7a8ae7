#include "fetch/content_range.h"

#include <gtest/gtest.h>

namespace ifd {
namespace {

TEST(ContentRange, NamesTheFirstByte) {
  EXPECT_EQ(first_byte_sent("Content-Range: bytes 100-199/200\r\n"), 100U);
  EXPECT_EQ(first_byte_sent("CONTENT-range:bytes  0-9/*"), 0U);
  EXPECT_EQ(first_byte_sent("content-range: \tBYTES 18446744073709551615-"), UINT64_MAX);
}

// Whoever took a part from elsewhere for the one asked for would write a broken file.
TEST(ContentRange, IsNothingElse) {
  for (const char* line :
       {"", "Content-Range", "Content-Range:", "Content-Range: bytes", "Content-Range: bytes ",
        "Content-Range: bytes */200", "Content-Range: bytes 100", "Content-Range: bytes 100/200",
        "Content-Range: bytes -5-9/20", "Content-Range: bytes x100-199/200",
        "Content-Range: rows 100-199/200", "Content-Range: bytes 18446744073709551616-",
        "X-Content-Range: bytes 100-199/200", "Content-Length: 100"}) {
    SCOPED_TRACE(line);
    EXPECT_EQ(first_byte_sent(line), std::nullopt);
  }
}

}  // namespace
}  // namespace ifd
