// The bytes that our own binary files are made of: little-endian numbers, texts with their length,
// and a CRC-32 of everything at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace ifd {

// CRC-32; `before` is that of the bytes in front of these.
std::uint32_t checksum(std::string_view bytes, std::uint32_t before = 0);

class BinaryWriter {
 public:
  template <class Number>
  void number(Number value) {
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
      bytes_.push_back(static_cast<char>(static_cast<unsigned char>(value >> (8 * i))));
    }
  }
  void real(double value);
  // Its length in 32 bits, then its bytes.
  void text(std::string_view value);
  void raw(std::string_view value) { bytes_ += value; }
  // Zeros up to a multiple of `alignment`.
  void align(std::size_t alignment);

  // Everything written, with the checksum behind it. The writer is done with.
  std::string with_checksum() &&;
  // The same without one.
  std::string bytes() && { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads from the front; every refusal is Error(kCorruptFile) with the file and the byte.
class BinaryReader {
 public:
  // Both must outlive the reader.
  BinaryReader(std::string_view bytes, const std::string& source)
      : bytes_(bytes), source_(source) {}

  [[noreturn]] void refuse(const std::string& what) const;
  std::string_view raw(std::size_t size);
  template <class Number>
  Number number() {
    Number value = 0;
    const std::string_view found = raw(sizeof(Number));
    for (std::size_t i = 0; i < sizeof(Number); ++i) {
      value |= static_cast<Number>(static_cast<unsigned char>(found[i])) << (8 * i);
    }
    return value;
  }
  double real();
  // A count or length in 32 bits, at most `limit`.
  std::size_t count(std::size_t limit, std::string_view what);
  // A count of things that take at least `bytes_each`, so that no more is promised than is there.
  std::size_t count_of(std::size_t bytes_each, std::string_view what);
  // UTF-8: it is printed and taken into JSON. `what` as in "bytes of a name".
  std::string text(std::size_t limit, std::string_view what);
  void align(std::size_t alignment);
  std::size_t left() const { return bytes_.size() - at_; }
  // Refuses bytes that nobody has read.
  void finish() const;

 private:
  std::string_view bytes_;
  const std::string& source_;
  std::size_t at_ = 0;
};

// What a file says at its front: eight bytes that name its kind, and a version.
struct BinaryFormat {
  std::string_view magic;
  std::uint32_t version;
  std::string_view kind;  // in messages: "policy file"
};

// Everything but the checksum, from the first byte on. Error: kCorruptFile for bytes of another
// kind, cut short or changed; kBadInput for a newer version.
std::string_view checked_body(std::string_view bytes, const BinaryFormat& format,
                              const std::string& source);

}  // namespace ifd
