#include "ifd/data/npz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "ifd/data/file_bytes.h"
#include "ifd/data/little_endian.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

// What deflate can reach, and a little for tiny entries.
constexpr std::size_t kMaxDeflateRatio = 1032;
constexpr std::size_t kDeflateSlack = 1024;
// zlib counts in 32 bits.
constexpr std::size_t kMaxZlibStep = std::size_t{1} << 30;

// Zip's marks (APPNOTE 4.3) and the values that point to a ZIP64 field.
constexpr std::uint32_t kLocalMark = 0x04034b50;
constexpr std::uint32_t kCentralMark = 0x02014b50;
constexpr std::uint32_t kEndMark = 0x06054b50;
constexpr std::uint32_t kEnd64Mark = 0x06064b50;
constexpr std::uint32_t kLocator64Mark = 0x07064b50;
constexpr std::uint32_t kSee64 = 0xFFFFFFFF;
constexpr std::size_t kLocalSize = 30;
constexpr std::size_t kCentralSize = 46;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kEnd64Size = 56;
constexpr std::size_t kLocator64Size = 20;

Error corrupt_archive(const std::string& place, std::string_view what) {
  return {ErrorKind::kCorruptFile, fmt::format("{}: {}", place, what)};
}

bool holds(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

}  // namespace

bool is_zip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

// The bytes of one entry, front to back, whether stored or deflated.
class NpzFile::Stream {
 public:
  Stream(const NpzFile& file, const Entry& entry, const std::string& place)
      : packed_(std::string_view(file.bytes_).substr(entry.data_offset, entry.packed_size)),
        deflated_(entry.deflated),
        place_(place) {
    // Negative window bits: deflate without a wrapper.
    if (deflated_ && inflateInit2(&stream_, -15) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() {
    if (deflated_) inflateEnd(&stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Fills all of `out`; fewer bytes are an error.
  void read(std::span<std::uint8_t> out) {
    for (std::size_t done = 0; done < out.size();) {
      const std::size_t step = std::min(out.size() - done, kMaxZlibStep);
      const std::size_t got = some(out.subspan(done, step));
      if (got == 0) throw corrupt_archive(place_, "the data is cut short");
      checksum_ =
          static_cast<std::uint32_t>(crc32(checksum_, out.data() + done, static_cast<uInt>(got)));
      done += got;
    }
  }
  // Nothing may be left, and the checksum must be right.
  void finish(std::uint32_t checksum) {
    std::uint8_t more = 0;
    if (some({&more, 1}) != 0) throw corrupt_archive(place_, "more data than the archive declares");
    if (checksum_ != checksum) throw corrupt_archive(place_, "the checksum is wrong");
  }

 private:
  std::size_t some(std::span<std::uint8_t> out) {
    if (!deflated_) {
      const std::size_t step = std::min(out.size(), packed_.size());
      std::copy_n(packed_.data(), step, out.data());
      packed_.remove_prefix(step);
      return step;
    }
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(out.size());
    while (!ended_ && stream_.avail_out != 0) {
      const auto in = static_cast<uInt>(std::min(packed_.size(), kMaxZlibStep));
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data()));
      stream_.avail_in = in;
      const uInt room = stream_.avail_out;
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_MEM_ERROR) throw std::bad_alloc();
      packed_.remove_prefix(in - stream_.avail_in);
      ended_ = result == Z_STREAM_END;
      if (ended_) break;
      if (result != Z_OK && result != Z_BUF_ERROR)
        throw corrupt_archive(place_, "damaged deflate data");
      const bool stuck = stream_.avail_in == in && stream_.avail_out == room;
      if (stuck) break;
    }
    return out.size() - stream_.avail_out;
  }

  std::string_view packed_;
  bool deflated_;
  bool ended_ = false;
  const std::string& place_;
  z_stream stream_{};
  std::uint32_t checksum_ = 0;
};

NpzFile NpzFile::read(const std::filesystem::path& path, const ReadLimits& limits) {
  FileContents contents = read_contents(path, limits);
  return from_bytes(std::move(contents.bytes), source_name(path), contents.limits);
}

NpzFile NpzFile::from_bytes(std::string bytes, std::string name, const ReadLimits& limits) {
  NpzFile file(std::move(bytes), std::move(name));
  file.read_directory(limits);
  return file;
}

namespace {

// Where an archive ends, and where it says that its directory is.
struct EndRecord {
  std::size_t at;
  std::uint64_t entries;
  std::uint64_t directory_size;
  std::uint64_t directory_offset;
};

EndRecord end_of(std::string_view bytes, const std::string& name) {
  // The end record is last but for a comment of at most 65535 bytes, whose length it tells.
  std::optional<std::size_t> end;
  for (std::size_t back = kEndSize; back <= bytes.size() && back <= kEndSize + 65535; ++back) {
    const std::size_t at = bytes.size() - back;
    if (u32(bytes, at) == kEndMark && u16(bytes, at + 20) == back - kEndSize) {
      end = at;
      break;
    }
  }
  if (!end) throw corrupt_archive(name, "the zip archive has no end; is the file cut short?");
  EndRecord found{*end, u16(bytes, *end + 10), u32(bytes, *end + 12), u32(bytes, *end + 16)};
  bool one_disk = u16(bytes, *end + 4) == 0 && u16(bytes, *end + 6) == 0;
  const bool zip64 = *end >= kLocator64Size && u32(bytes, *end - kLocator64Size) == kLocator64Mark;
  if (zip64) {
    const std::uint64_t end64 = u64(bytes, *end - kLocator64Size + 8);
    if (!holds(bytes, end64, kEnd64Size) || u32(bytes, end64) != kEnd64Mark) {
      throw corrupt_archive(name, "the zip archive's end is damaged");
    }
    one_disk = u32(bytes, end64 + 16) == 0 && u32(bytes, end64 + 20) == 0;
    found.entries = u64(bytes, end64 + 32);
    found.directory_size = u64(bytes, end64 + 40);
    found.directory_offset = u64(bytes, end64 + 48);
  }
  if (!one_disk) throw corrupt_archive(name, "the zip archive is in several parts; expected one");
  return found;
}

// ZIP64: the numbers that did not fit stand in an extra field, in this order (APPNOTE 4.5.3).
void widen(std::string_view extra, const std::string& where,
           std::initializer_list<std::uint64_t*> numbers) {
  for (std::size_t field = 0; holds(extra, field, 4);) {
    const std::size_t field_size = u16(extra, field + 2);
    if (!holds(extra, field + 4, field_size)) throw corrupt_archive(where, "damaged zip entry");
    if (u16(extra, field) == 1) {
      const std::string_view wide = extra.substr(field + 4, field_size);
      std::size_t next = 0;
      for (std::uint64_t* number : numbers) {
        if (*number != kSee64) continue;
        if (!holds(wide, next, 8)) throw corrupt_archive(where, "damaged zip entry");
        *number = u64(wide, next);
        next += 8;
      }
    }
    field += 4 + field_size;
  }
}

}  // namespace

std::vector<std::string> zip_member_names(std::string_view bytes) {
  constexpr std::uint64_t kMostNames = 1000;
  std::vector<std::string> names;
  try {
    const EndRecord end = end_of(bytes, "");
    if (!holds(bytes.substr(0, end.at), end.directory_offset, end.directory_size)) return {};
    std::string_view rest = bytes.substr(end.directory_offset, end.directory_size);
    for (std::uint64_t i = 0; i < std::min(end.entries, kMostNames); ++i) {
      if (!holds(rest, 0, kCentralSize) || u32(rest, 0) != kCentralMark) return {};
      const std::size_t name_size = u16(rest, 28);
      const std::size_t record_size = kCentralSize + name_size + u16(rest, 30) + u16(rest, 32);
      if (!holds(rest, 0, record_size)) return {};
      names.emplace_back(rest.substr(kCentralSize, name_size));
      rest.remove_prefix(record_size);
    }
  } catch (const Error&) {
    return {};
  }
  return names;
}

void NpzFile::read_directory(const ReadLimits& limits) {
  const std::string_view bytes = bytes_;
  allowed_ = limits.allowed(bytes.size());
  std::uint64_t declared = 0;
  if (!is_zip(bytes)) throw corrupt_archive(name_, "is not an .npz file; expected a zip archive");
  const EndRecord end = end_of(bytes, name_);
  if (!holds(bytes.substr(0, end.at), end.directory_offset, end.directory_size)) {
    throw corrupt_archive(name_, "the zip archive's directory is damaged");
  }
  const std::string_view directory = bytes.substr(end.directory_offset, end.directory_size);
  const std::string_view before = bytes.substr(0, end.directory_offset);
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < end.entries; ++i) {
    const auto damaged = [&] {
      return corrupt_archive(name_, "the zip archive's directory is damaged");
    };
    if (!holds(directory, at, kCentralSize) || u32(directory, at) != kCentralMark) throw damaged();
    const std::uint16_t flags = u16(directory, at + 8);
    const std::uint16_t method = u16(directory, at + 10);
    std::uint64_t packed_size = u32(directory, at + 20);
    std::uint64_t size = u32(directory, at + 24);
    const std::size_t name_size = u16(directory, at + 28);
    const std::size_t extra_size = u16(directory, at + 30);
    const std::size_t comment_size = u16(directory, at + 32);
    std::uint64_t offset = u32(directory, at + 42);
    const std::size_t record_size = kCentralSize + name_size + extra_size + comment_size;
    if (!holds(directory, at, record_size)) throw damaged();
    const std::string_view full_name = directory.substr(at + kCentralSize, name_size);
    const std::string_view extra = directory.substr(at + kCentralSize + name_size, extra_size);
    const std::uint32_t checksum = u32(directory, at + 16);
    at += record_size;
    if (!full_name.ends_with(".npy")) continue;
    const std::string array(full_name.substr(0, full_name.size() - 4));
    const std::string where = place(array);

    widen(extra, where, {&size, &packed_size, &offset});
    if ((flags & 1) != 0) throw bad_input(where + ": is encrypted; expected a plain archive");
    if (method != 0 && method != 8) {
      throw bad_input(
          fmt::format("{}: zip method {}; expected stored (0) or deflate (8)", where, method));
    }
    if (!holds(before, offset, kLocalSize) || u32(before, offset) != kLocalMark) {
      throw corrupt_archive(where, "damaged zip entry");
    }
    const std::uint64_t data_offset =
        offset + kLocalSize + u16(before, offset + 26) + u16(before, offset + 28);
    const bool too_much = method == 0 ? size != packed_size
                                      : size > kDeflateSlack &&
                                            (size - kDeflateSlack) / kMaxDeflateRatio > packed_size;
    if (!holds(before, data_offset, packed_size) || too_much) {
      throw corrupt_archive(where, "the sizes of the zip entry cannot be right");
    }
    if (!entries_.emplace(array, Entry{data_offset, packed_size, size, checksum, method == 8})
             .second) {
      throw corrupt_archive(where, "is in the archive twice");
    }
    if (__builtin_add_overflow(declared, size, &declared) || declared > allowed_) {
      throw expands_too_far(
          name_, bytes.size(),
          fmt::format("of archive declare arrays of {} bytes or more", std::max(declared, size)),
          limits);
    }
  }
}

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> names;
  for (const auto& [array, entry] : entries_) names.push_back(array);
  return names;
}

std::string NpzFile::listing() const {
  constexpr std::size_t kShown = 8;
  std::string text;
  std::size_t shown = 0;
  for (const auto& [array, entry] : entries_) {
    if (shown++ == kShown) return text + ", ...";
    std::string what;
    try {
      what = type_and_shape(header(array));
    } catch (const Error&) {
      what = "neither numbers nor text";
    }
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", excerpt(array), what);
  }
  return text;
}

std::string NpzFile::place(std::string_view array) const {
  return fmt::format("{}: '{}'", name_, excerpt(array));
}

const NpzFile::Entry& NpzFile::entry(std::string_view array) const {
  const auto found = entries_.find(array);
  if (found != entries_.end()) return found->second;
  throw Error(ErrorKind::kNotFound,
              fmt::format("{}: no array '{}'; found {}", name_, array,
                          excerpt(fmt::format("{}", fmt::join(names(), ", ")))));
}

NpyHeader NpzFile::header(std::string_view array) const {
  const Entry& found = entry(array);
  const std::string where = place(array);
  Stream stream(*this, found, where);
  return read_npy_header([&](auto out) { stream.read(out); }, found.size, where);
}

NpyArray NpzFile::at(std::string_view array) const {
  const Entry& found = entry(array);
  const std::string where = place(array);
  Stream stream(*this, found, where);
  NpyArray result = read_npy([&](auto out) { stream.read(out); }, found.size, where, allowed_);
  stream.finish(found.checksum);
  return result;
}

namespace {

template <typename Value>
std::string_view as_text(std::span<const Value> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::string deflate_all(std::string_view data) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string packed;
  int result = Z_OK;
  while (result != Z_STREAM_END) {
    std::array<char, 65536> out;
    const auto in = static_cast<uInt>(std::min(data.size(), kMaxZlibStep));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = in;
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = out.size();
    result = deflate(&stream, in == data.size() ? Z_FINISH : Z_NO_FLUSH);
    data.remove_prefix(in - stream.avail_in);
    packed.append(out.data(), out.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return packed;
}

std::uint32_t checksum_of(std::string_view data) {
  uLong sum = 0;
  while (!data.empty()) {
    const std::size_t step = std::min(data.size(), kMaxZlibStep);
    sum = crc32(sum, reinterpret_cast<const Bytef*>(data.data()), static_cast<uInt>(step));
    data.remove_prefix(step);
  }
  return static_cast<std::uint32_t>(sum);
}

// 1980-01-01 00:00, the first moment zip can tell.
constexpr std::uint16_t kTime = 0;
constexpr std::uint16_t kDate = 1 << 5 | 1;
constexpr std::uint16_t kVersion = 45;  // with ZIP64

}  // namespace

void NpzWriter::add(std::string_view name, const std::vector<std::size_t>& shape,
                    std::span<const float> values) {
  add_entry(name, "<f4", shape, as_text(values));
}
void NpzWriter::add(std::string_view name, const std::vector<std::size_t>& shape,
                    std::span<const double> values) {
  add_entry(name, "<f8", shape, as_text(values));
}
void NpzWriter::add(std::string_view name, const std::vector<std::size_t>& shape,
                    std::span<const std::int64_t> values) {
  add_entry(name, "<i8", shape, as_text(values));
}
void NpzWriter::add(std::string_view name, const std::vector<std::size_t>& shape,
                    std::span<const std::uint8_t> values) {
  add_entry(name, "|u1", shape, as_text(values));
}

void NpzWriter::add(std::string_view name, std::span<const std::string> values) {
  std::size_t width = 1;  // NumPy has no text of no characters
  std::vector<std::u32string> texts;
  for (const std::string& value : values) {
    std::u32string& text = texts.emplace_back();
    for (std::size_t i = 0; i < value.size();) {
      const auto first = static_cast<unsigned char>(value[i]);
      const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
      if (first_invalid_utf8(std::string_view(value).substr(i, length)) != length) {
        throw bad_input(fmt::format("'{}' is not UTF-8; expected UTF-8 text", excerpt(value)));
      }
      char32_t code = length == 1 ? first : first & (0x7FU >> length);
      for (std::size_t j = 1; j < length; ++j) {
        code = code << 6 | (static_cast<unsigned char>(value[i + j]) & 0x3FU);
      }
      text += code;
      i += length;
    }
    width = std::max(width, text.size());
  }
  std::string data;
  data.reserve(4 * width * texts.size());
  for (std::u32string& text : texts) {
    text.resize(width, U'\0');
    data.append(reinterpret_cast<const char*>(text.data()), 4 * width);
  }
  add_entry(name, fmt::format("<U{}", width), {values.size()}, data);
}

void NpzWriter::add_entry(std::string_view name, std::string_view descr,
                          const std::vector<std::size_t>& shape, std::string_view data) {
  std::string array = npy_bytes(descr, shape, data);
  const std::uint32_t checksum = checksum_of(array);
  const bool deflated = packing_ == NpzPacking::kDeflated;
  const std::uint64_t size = array.size();
  if (deflated) array = deflate_all(array);
  const std::uint64_t packed_size = array.size();
  const std::uint64_t offset = bytes_.size();
  const std::string file_name = std::string(name) + ".npy";
  const auto name_size = static_cast<std::uint16_t>(file_name.size());

  // What the local and the central record share.
  const auto append_shared = [&](std::string& out, std::uint16_t extra_size) {
    append_number(out, kVersion);
    append_number(out, std::uint16_t{0x0800});  // names are UTF-8
    append_number(out, static_cast<std::uint16_t>(deflated ? 8 : 0));
    append_number(out, kTime);
    append_number(out, kDate);
    append_number(out, checksum);
    append_number(out, kSee64);
    append_number(out, kSee64);
    append_number(out, name_size);
    append_number(out, extra_size);
  };
  // Sizes always go into the ZIP64 field, so that large files take no other path than small ones.
  append_number(bytes_, kLocalMark);
  append_shared(bytes_, 20);
  bytes_ += file_name;
  append_number(bytes_, std::uint16_t{1});
  append_number(bytes_, std::uint16_t{16});
  append_number(bytes_, size);
  append_number(bytes_, packed_size);
  bytes_ += array;

  append_number(directory_, kCentralMark);
  append_number(directory_, kVersion);
  append_shared(directory_, 28);
  append_number(directory_, std::uint16_t{0});  // comment
  append_number(directory_, std::uint16_t{0});  // disk
  append_number(directory_, std::uint16_t{0});  // internal attributes
  append_number(directory_, std::uint32_t{0});  // external attributes
  append_number(directory_, kSee64);
  directory_ += file_name;
  append_number(directory_, std::uint16_t{1});
  append_number(directory_, std::uint16_t{24});
  append_number(directory_, size);
  append_number(directory_, packed_size);
  append_number(directory_, offset);
  ++entries_;
}

std::string NpzWriter::bytes() && {
  const std::uint64_t directory_offset = bytes_.size();
  const std::uint64_t directory_size = directory_.size();
  bytes_ += directory_;
  const std::uint64_t end64 = bytes_.size();
  append_number(bytes_, kEnd64Mark);
  append_number(bytes_, std::uint64_t{kEnd64Size - 12});
  append_number(bytes_, kVersion);
  append_number(bytes_, kVersion);
  append_number(bytes_, std::uint32_t{0});
  append_number(bytes_, std::uint32_t{0});
  append_number(bytes_, entries_);
  append_number(bytes_, entries_);
  append_number(bytes_, directory_size);
  append_number(bytes_, directory_offset);
  append_number(bytes_, kLocator64Mark);
  append_number(bytes_, std::uint32_t{0});
  append_number(bytes_, end64);
  append_number(bytes_, std::uint32_t{1});
  append_number(bytes_, kEndMark);
  append_number(bytes_, std::uint16_t{0});
  append_number(bytes_, std::uint16_t{0});
  append_number(bytes_, std::uint16_t{0xFFFF});
  append_number(bytes_, std::uint16_t{0xFFFF});
  append_number(bytes_, kSee64);
  append_number(bytes_, kSee64);
  append_number(bytes_, std::uint16_t{0});
  return std::move(bytes_);
}

}  // namespace ifd
