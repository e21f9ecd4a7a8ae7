#include "fuzz/described_archive.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "ifd/data/little_endian.h"
#include "ifd/data/npz.h"

namespace ifd::fuzz {
namespace {

constexpr std::size_t kMostBytes = 1024;  // of an array

// What stands before the separator, which is taken away with it.
std::string_view take(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view found = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return found;
}

// The numbers in a text like (2,3), as far as there are any.
std::size_t items_of(std::string_view shape) {
  std::size_t items = 1;
  while (!shape.empty()) {
    const std::string number(take(shape, ','));
    const std::size_t digit = number.find_first_of("0123456789");
    if (digit == std::string::npos) continue;
    const auto extent = std::strtoull(number.c_str() + digit, nullptr, 10);
    if (extent > kMostBytes || (items *= extent) > kMostBytes) return kMostBytes;
  }
  return items;
}

std::size_t width_of(std::string_view type) {
  if (type.size() < 3) return 1;
  const auto count = std::strtoull(std::string(type.substr(2)).c_str(), nullptr, 10);
  return std::min<std::size_t>(count, kMostBytes) * (type[1] == 'U' ? 4 : 1);
}

// One value in `width` bytes of a type such as <f4.
std::string item_of(std::string_view text, std::string_view type, std::size_t width) {
  const char kind = type.size() < 2 ? 'i' : type[1];
  const std::string copy(text);
  std::string item;
  if (kind == 'f' && width == 4) {
    append_number(item, std::bit_cast<std::uint32_t>(std::strtof(copy.c_str(), nullptr)));
  } else if (kind == 'f' && width == 8) {
    append_number(item, std::bit_cast<std::uint64_t>(std::strtod(copy.c_str(), nullptr)));
  } else if (kind == 'U') {
    if (text.starts_with("U+")) {
      append_number(item, static_cast<std::uint32_t>(std::strtoul(copy.c_str() + 2, nullptr, 16)));
    } else {
      for (const char c : text) append_number(item, std::uint32_t{static_cast<unsigned char>(c)});
    }
  } else if (kind == 'S') {
    item = text;
  } else {
    append_number(item, static_cast<std::uint64_t>(std::strtoll(copy.c_str(), nullptr, 0)));
  }
  item.resize(width);
  return item;
}

std::string array_of(std::string_view line) {
  const std::string_view type = take(line, ' ');
  const std::string_view order = take(line, ' ');
  const std::string_view shape = take(line, ' ');
  const char* const quote = type.starts_with('[') ? "" : "'";  // of a structured type
  std::string header = "{'descr': ";
  header.append(quote).append(type).append(quote).append(", 'fortran_order': ");
  header += order.starts_with('T') ? "True" : order.starts_with('F') ? "False" : order;
  header += ", 'shape': " + std::string(shape) + ", }\n";
  const char version = order.size() == 2 ? static_cast<char>(order[1] - '0') : '\x01';
  std::string array("\x93NUMPY");
  array += {version, '\0'};
  append_number(array, static_cast<std::uint16_t>(header.size()));
  if (version > 1) append_number(array, std::uint16_t{0});
  array += header;
  const std::size_t width = width_of(type);
  const std::size_t items = std::min(items_of(shape), width == 0 ? 0 : kMostBytes / width);
  const std::size_t size = array.size() + items * width;
  while (array.size() < size && !line.empty()) array += item_of(take(line, ' '), type, width);
  array.resize(size);
  return array;
}

struct Member {
  std::string name;
  std::string packed;
  std::size_t size = 0;
  std::uint32_t checksum = 0;
  bool deflated = false;
};

// With the least of windows, for which little memory is enough.
std::string deflated(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, 1, Z_DEFLATED, -9, 1, Z_DEFAULT_STRATEGY) != Z_OK) std::abort();
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) std::abort();
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

Member member_of(std::string_view line) {
  Member member;
  member.name = std::string(take(line, ' ')).substr(0, 256) + ".npy";
  member.deflated = member.name.starts_with('-');
  if (member.deflated) member.name.erase(0, 1);
  std::string array = array_of(line);
  member.size = array.size();
  member.checksum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(array.data()), array.size()));
  member.packed = member.deflated ? deflated(array) : std::move(array);
  return member;
}

// Local and central record share all but their marks and what only the central one has.
void add_record(std::string& out, const Member& member, std::uint32_t mark) {
  const bool central = mark == 0x02014b50;
  append_number(out, mark);
  if (central) append_number(out, std::uint16_t{20});
  // Version 2.0, no flags, at the first moment that zip can tell.
  for (const int number : {20, 0, member.deflated ? 8 : 0, 0, 33}) {
    append_number(out, static_cast<std::uint16_t>(number));
  }
  append_number(out, member.checksum);
  append_number(out, static_cast<std::uint32_t>(member.packed.size()));
  append_number(out, static_cast<std::uint32_t>(member.size));
  append_number(out, static_cast<std::uint16_t>(member.name.size()));
  append_number(out, std::uint16_t{0});
}

}  // namespace

std::string described_archive(std::string_view text) {
  if (is_zip(text)) return std::string(text);
  std::string archive;
  std::string directory;
  std::uint16_t entries = 0;
  while (!text.empty() && entries < 64) {
    const Member member = member_of(take(text, '\n'));
    const auto offset = static_cast<std::uint32_t>(archive.size());
    add_record(archive, member, 0x04034b50);
    archive += member.name + member.packed;
    add_record(directory, member, 0x02014b50);
    directory.append(10, '\0');  // comment, disk and attributes: none
    append_number(directory, offset);
    directory += member.name;
    ++entries;
  }
  const auto begin = static_cast<std::uint32_t>(archive.size());
  archive += directory;
  append_number(archive, std::uint32_t{0x06054b50});
  append_number(archive, std::uint32_t{0});
  append_number(archive, entries);
  append_number(archive, entries);
  append_number(archive, static_cast<std::uint32_t>(directory.size()));
  append_number(archive, begin);
  append_number(archive, std::uint16_t{0});
  return archive;
}

}  // namespace ifd::fuzz
