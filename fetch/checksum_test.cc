#include "fetch/checksum.h"

#include <gtest/gtest.h>

#include <fstream>

#include "ifd/error.h"

namespace ifd {
namespace {

std::string checksum_of(ChecksumKind kind, std::string_view text) {
  Checksum checksum(kind);
  checksum.add(std::as_bytes(std::span(text)));
  return std::move(checksum).finish();
}

// RFC 1321, appendix A.5.
TEST(Checksum, Md5OfThePublishedVectors) {
  EXPECT_EQ(checksum_of(ChecksumKind::kMd5, ""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(checksum_of(ChecksumKind::kMd5, "a"), "0cc175b9c0f1b6a831c399e269772661");
  EXPECT_EQ(checksum_of(ChecksumKind::kMd5, "message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
  EXPECT_EQ(checksum_of(ChecksumKind::kMd5, "abcdefghijklmnopqrstuvwxyz"),
            "c3fcd3d76192e4007dfb496cca67e13b");
}

// FIPS 180-2, appendix B; RFC 6234, section 8.5.
TEST(Checksum, Sha256OfThePublishedVectors) {
  EXPECT_EQ(checksum_of(ChecksumKind::kSha256, "abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(checksum_of(ChecksumKind::kSha256,
                        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(checksum_of(ChecksumKind::kSha256, std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Checksum, PiecesDoNotMatter) {
  const std::string text(1000, 'x');
  for (std::size_t cut = 0; cut <= text.size(); cut += 37) {
    Checksum checksum(ChecksumKind::kSha256);
    checksum.add(std::as_bytes(std::span(text).first(cut)));
    checksum.add(std::as_bytes(std::span(text).subspan(cut)));
    EXPECT_EQ(std::move(checksum).finish(), checksum_of(ChecksumKind::kSha256, text));
  }
}

TEST(Checksum, OfAFileIsThatOfItsBytes) {
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / "ifd_checksum_test.bin";
  // Longer than a piece, and no multiple of it.
  std::ofstream(path, std::ios::binary) << std::string(1000000, 'a');
  EXPECT_EQ(file_checksum(ChecksumKind::kSha256, path),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  std::filesystem::remove(path);
  try {
    file_checksum(ChecksumKind::kMd5, path);
    FAIL() << "a file that is not there has a checksum";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kNotFound);
  }
}

}  // namespace
}  // namespace ifd
