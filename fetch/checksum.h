// MD5 and SHA-256, as the publishers of the data sets state them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace ifd {

enum class ChecksumKind { kMd5, kSha256 };

// "MD5" or "SHA-256".
std::string_view checksum_name(ChecksumKind kind);

// Digits of the checksum in hexadecimal: 32 or 64.
std::size_t hex_length(ChecksumKind kind);

// A checksum of bytes that arrive in pieces. Error(kStorage) if this machine's OpenSSL refuses the
// kind (a FIPS build refuses MD5).
class Checksum {
 public:
  explicit Checksum(ChecksumKind kind);

  void add(std::span<const std::byte> bytes);

  // Lower-case hexadecimal of all bytes added; the checksum is used up.
  std::string finish() &&;

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const;
  };
  ChecksumKind kind_;
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// Reads the file in pieces of fixed size. Error(kNotFound) if it is not there, Error(kStorage) if
// it cannot be read.
std::string file_checksum(ChecksumKind kind, const std::filesystem::path& path);

}  // namespace ifd
