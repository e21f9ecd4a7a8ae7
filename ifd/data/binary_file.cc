#include "ifd/data/binary_file.h"

#include <fmt/format.h>
#include <zlib.h>

#include <bit>

#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

constexpr std::size_t kChecksumBytes = 4;

std::size_t padding_at(std::size_t offset, std::size_t alignment) {
  return (alignment - offset % alignment) % alignment;
}

}  // namespace

std::uint32_t checksum(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(
      crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

void BinaryWriter::real(double value) { number(std::bit_cast<std::uint64_t>(value)); }

void BinaryWriter::text(std::string_view value) {
  number(static_cast<std::uint32_t>(value.size()));
  bytes_ += value;
}

void BinaryWriter::align(std::size_t alignment) {
  bytes_.append(padding_at(bytes_.size(), alignment), '\0');
}

std::string BinaryWriter::with_checksum() && {
  number(checksum(bytes_));
  return std::move(bytes_);
}

void BinaryReader::refuse(const std::string& what) const {
  throw Error(ErrorKind::kCorruptFile, fmt::format("{}: byte {}: {}", source_, at_, what));
}

std::string_view BinaryReader::raw(std::size_t size) {
  if (size > left()) refuse(fmt::format("{} bytes are missing", size - left()));
  const std::string_view found = bytes_.substr(at_, size);
  at_ += size;
  return found;
}

double BinaryReader::real() { return std::bit_cast<double>(number<std::uint64_t>()); }

std::size_t BinaryReader::count(std::size_t limit, std::string_view what) {
  const std::size_t found = number<std::uint32_t>();
  if (found > limit) refuse(fmt::format("{} {}; expected at most {}", found, what, limit));
  return found;
}

std::size_t BinaryReader::count_of(std::size_t bytes_each, std::string_view what) {
  const std::size_t found = number<std::uint32_t>();
  if (found > left() / bytes_each) refuse(fmt::format("{} {} do not fit the file", found, what));
  return found;
}

std::string BinaryReader::text(std::size_t limit, std::string_view what) {
  const std::string_view found = raw(count(limit, what));
  if (first_invalid_utf8(found) < found.size()) refuse(fmt::format("the {} are not UTF-8", what));
  return std::string(found);
}

void BinaryReader::align(std::size_t alignment) {
  for (const char c : raw(padding_at(at_, alignment))) {
    if (c != '\0') refuse("the padding is not zero");
  }
}

void BinaryReader::finish() const {
  if (left() > 0) refuse(fmt::format("{} bytes too many", left()));
}

std::string_view checked_body(std::string_view bytes, const BinaryFormat& format,
                              const std::string& source) {
  if (!bytes.starts_with(format.magic)) {
    throw Error(ErrorKind::kCorruptFile, fmt::format("{}: not a {}; expected it to begin with {}",
                                                     source, format.kind, format.magic));
  }
  if (bytes.size() < format.magic.size() + sizeof(std::uint32_t) + kChecksumBytes) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: the {} is cut short", source, format.kind));
  }
  const std::string_view body = bytes.substr(0, bytes.size() - kChecksumBytes);
  BinaryReader reader(body, source);
  reader.raw(format.magic.size());
  const auto version = reader.number<std::uint32_t>();
  if (version != format.version) {
    throw Error(version > format.version ? ErrorKind::kBadInput : ErrorKind::kCorruptFile,
                fmt::format("{}: a {} of version {}; this program reads version {}", source,
                            format.kind, version, format.version));
  }
  const std::string_view tail = bytes.substr(body.size());
  if (BinaryReader(tail, source).number<std::uint32_t>() != checksum(body)) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: the {} is damaged or cut short; its checksum does not match",
                            source, format.kind));
  }
  return body;
}

}  // namespace ifd
