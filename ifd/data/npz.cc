#include "ifd/data/npz.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "ifd/data/file_bytes.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

static_assert(std::endian::native == std::endian::little, "array data is copied as it is");

constexpr std::size_t kMaxHeaderBytes = 65536;
constexpr std::size_t kMaxDimensions = 32;
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

Error corrupt(const std::string& place, std::string_view what) {
  return {ErrorKind::kCorruptFile, fmt::format("{}: {}", place, what)};
}

// Little-endian numbers at a position; the caller has checked that they are there.
template <typename Number>
Number number_at(std::string_view bytes, std::size_t offset) {
  assert(offset + sizeof(Number) <= bytes.size());
  Number value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}
std::uint16_t u16(std::string_view bytes, std::size_t offset) {
  return number_at<std::uint16_t>(bytes, offset);
}
std::uint32_t u32(std::string_view bytes, std::size_t offset) {
  return number_at<std::uint32_t>(bytes, offset);
}
std::uint64_t u64(std::string_view bytes, std::size_t offset) {
  return number_at<std::uint64_t>(bytes, offset);
}

bool holds(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

template <typename Number>
void append_number(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// The product, or nothing where it overflows.
std::optional<std::size_t> product(const std::vector<std::size_t>& factors, std::size_t start) {
  std::size_t result = start;
  for (const std::size_t factor : factors) {
    if (__builtin_mul_overflow(result, factor, &result)) return std::nullopt;
  }
  return result;
}

// The dictionary in an .npy header, a literal of Python: three keys with a string, a bool and a
// tuple of numbers. Anything else is refused.
class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& place) : text_(text), place_(place) {}

  NpyHeader parse() {
    NpyHeader header;
    bool descr = false;
    bool order = false;
    bool shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr" && !std::exchange(descr, true)) {
        read_type(header);
      } else if (key == "fortran_order" && !std::exchange(order, true)) {
        header.fortran_order = boolean();
      } else if (key == "shape" && !std::exchange(shape, true)) {
        header.shape = tuple();
      } else {
        throw malformed();
      }
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_blanks();
    if (at_ != text_.size() || !descr || !order || !shape) throw malformed();
    return header;
  }

 private:
  Error malformed() const {
    return corrupt(place_, "the array's header is damaged; expected descr, fortran_order, shape");
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  bool accept(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw malformed();
  }
  bool accept_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool boolean() {
    if (accept_word("True")) return true;
    if (accept_word("False")) return false;
    throw malformed();
  }
  std::string_view string() {
    const char quote = accept('"') ? '"' : '\'';
    if (quote == '\'') expect('\'');
    const std::size_t end = text_.find(quote, at_);
    if (end == std::string_view::npos) throw malformed();
    const std::size_t begin = std::exchange(at_, end + 1);
    return text_.substr(begin, end - begin);
  }
  std::size_t natural() {
    skip_blanks();
    std::size_t value = 0;
    const std::size_t begin = at_;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_) {
      const auto digit = static_cast<std::size_t>(text_[at_] - '0');
      if (value > (SIZE_MAX / 2 - digit) / 10) throw malformed();
      value = value * 10 + digit;
    }
    if (at_ == begin) throw malformed();
    return value;
  }
  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> values;
    expect('(');
    while (!accept(')')) {
      if (values.size() == kMaxDimensions) throw malformed();
      values.push_back(natural());
      if (accept(',')) continue;
      // (3) is a number in Python and (3,) a tuple.
      if (values.size() == 1) throw malformed();
      expect(')');
      break;
    }
    return values;
  }

  void read_type(NpyHeader& header) {
    skip_blanks();
    if (text_.substr(at_).starts_with('[')) {
      throw bad_input(place_ + ": a structured array; expected numbers or text");
    }
    const std::string_view descr = string();
    const auto refuse = [&](std::string_view what) {
      return bad_input(fmt::format("{}: type '{}' {}; expected bool, integers, floats or text",
                                   place_, excerpt(descr), what));
    };
    if (descr == "O" || descr == "|O" || descr.starts_with("|O")) {
      throw bad_input(
          place_ + ": holds Python objects, which are never unpickled; expected numbers or text");
    }
    if (descr.size() < 3) throw refuse("is not known");
    if (descr[0] == '>') throw refuse("is big-endian");
    if (descr[0] != '<' && descr[0] != '=' && descr[0] != '|') throw refuse("is not known");
    std::size_t count = 0;
    for (const char c : descr.substr(2)) {
      if (c < '0' || c > '9' || count > kMaxHeaderBytes * 1024) throw refuse("is not known");
      count = count * 10 + static_cast<std::size_t>(c - '0');
    }
    const bool power = count == 1 || count == 2 || count == 4 || count == 8;
    header.item_bytes = count;
    switch (descr[1]) {
      case 'b':
        header.kind = NpyKind::kBool;
        if (count != 1) throw refuse("is not known");
        break;
      case 'i':
        header.kind = NpyKind::kSigned;
        if (!power) throw refuse("is not known");
        break;
      case 'u':
        header.kind = NpyKind::kUnsigned;
        if (!power) throw refuse("is not known");
        break;
      case 'f':
        header.kind = NpyKind::kFloat;
        if (!power || count == 1) throw refuse("is not known");
        break;
      case 'U':
        header.kind = NpyKind::kText;
        header.item_bytes = 4 * count;
        break;
      case 'S':
        header.kind = NpyKind::kBytes;
        break;
      default:
        throw refuse("is not known");
    }
  }

  std::string_view text_;
  const std::string& place_;
  std::size_t at_ = 0;
};

// IEEE 754 binary16.
float half_to_float(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const auto fraction = static_cast<float>(half & 1023);
  float size;
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<float>::infinity()
                         : std::numeric_limits<float>::quiet_NaN();
  } else if (exponent == 0) {
    size = std::ldexp(fraction, -24);
  } else {
    size = std::ldexp(1024 + fraction, exponent - 25);
  }
  return (half & 0x8000) != 0 ? -size : size;
}

// The same items with the last index running fastest instead of the first.
std::vector<std::uint8_t> from_fortran_order(const NpyHeader& header,
                                             const std::vector<std::uint8_t>& data) {
  const std::size_t dimensions = header.shape.size();
  std::vector<std::size_t> stride(dimensions, header.item_bytes);
  for (std::size_t d = 1; d < dimensions; ++d) stride[d] = stride[d - 1] * header.shape[d - 1];
  std::vector<std::size_t> at(dimensions, 0);
  std::vector<std::uint8_t> result(data.size());
  std::size_t from = 0;
  for (std::size_t to = 0; to < data.size(); to += header.item_bytes) {
    std::memcpy(result.data() + to, data.data() + from, header.item_bytes);
    for (std::size_t d = dimensions; d-- > 0;) {
      from += stride[d];
      if (++at[d] < header.shape[d]) break;
      from -= stride[d] * header.shape[d];
      at[d] = 0;
    }
  }
  return result;
}

std::string show_shape(const std::vector<std::size_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

}  // namespace

std::size_t NpyHeader::items() const {
  const auto count = product(shape, 1);
  assert(count);
  return *count;
}

NpyArray::NpyArray(NpyHeader header, std::vector<std::uint8_t> data, std::string place)
    : header_(std::move(header)), data_(std::move(data)), place_(std::move(place)) {
  assert(data_.size() == header_.items() * header_.item_bytes);
}

template <typename Number>
std::vector<Number> NpyArray::as_numbers() const {
  std::vector<Number> numbers(header_.items());
  const auto convert = [&]<typename Stored>(Stored) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      Stored value;
      std::memcpy(&value, data_.data() + i * sizeof value, sizeof value);
      if constexpr (std::is_same_v<Stored, std::uint64_t> && std::is_integral_v<Number>) {
        if (value > std::numeric_limits<std::int64_t>::max()) {
          throw bad_input(
              fmt::format("{}: {} is too large; expected at most 2^63-1", place_, value));
        }
      }
      numbers[i] = static_cast<Number>(+value);  // as int where it is a char
    }
  };
  const std::size_t size = header_.item_bytes;
  switch (header_.kind) {
    case NpyKind::kBool:
    case NpyKind::kUnsigned:
      if (size == 1) convert(std::uint8_t{});
      if (size == 2) convert(std::uint16_t{});
      if (size == 4) convert(std::uint32_t{});
      if (size == 8) convert(std::uint64_t{});
      return numbers;
    case NpyKind::kSigned:
      if (size == 1) convert(std::int8_t{});
      if (size == 2) convert(std::int16_t{});
      if (size == 4) convert(std::int32_t{});
      if (size == 8) convert(std::int64_t{});
      return numbers;
    case NpyKind::kFloat:
      if constexpr (std::is_integral_v<Number>) {
        throw bad_input(place_ + ": holds floats; expected integers");
      } else {
        if (size == 4) convert(float{});
        if (size == 8) convert(double{});
        for (std::size_t i = 0; size == 2 && i < numbers.size(); ++i) {
          std::uint16_t half;
          std::memcpy(&half, data_.data() + i * 2, 2);
          numbers[i] = half_to_float(half);
        }
        return numbers;
      }
    case NpyKind::kText:
    case NpyKind::kBytes:
      break;
  }
  throw bad_input(place_ + ": holds text; expected numbers");
}

std::vector<float> NpyArray::as_floats() const { return as_numbers<float>(); }
std::vector<double> NpyArray::as_doubles() const { return as_numbers<double>(); }
std::vector<std::int64_t> NpyArray::as_integers() const { return as_numbers<std::int64_t>(); }

std::vector<std::string> NpyArray::as_strings() const {
  std::vector<std::string> texts(header_.items());
  const std::size_t size = header_.item_bytes;
  const auto refuse = [&](std::size_t i) {
    return bad_input(fmt::format("{}: element {} is not Unicode text", place_, i));
  };
  if (header_.kind == NpyKind::kText) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      std::size_t length = size / 4;
      const auto character = [&](std::size_t c) {
        std::uint32_t value;
        std::memcpy(&value, data_.data() + i * size + c * 4, 4);
        return static_cast<char32_t>(value);
      };
      while (length > 0 && character(length - 1) == 0) --length;
      for (std::size_t c = 0; c < length; ++c) {
        if (!append_utf8(texts[i], character(c))) throw refuse(i);
      }
    }
  } else if (header_.kind == NpyKind::kBytes) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      texts[i].assign(reinterpret_cast<const char*>(data_.data()) + i * size, size);
      texts[i].erase(texts[i].find_last_not_of('\0') + 1);
      if (first_invalid_utf8(texts[i]) != texts[i].size()) throw refuse(i);
    }
  } else if (header_.kind == NpyKind::kFloat || header_.kind == NpyKind::kBool) {
    throw bad_input(place_ + ": holds neither text nor integers; expected names");
  } else {
    const std::vector<std::int64_t> numbers = as_integers();
    std::transform(numbers.begin(), numbers.end(), texts.begin(),
                   [](std::int64_t number) { return std::to_string(number); });
  }
  return texts;
}

std::vector<std::uint8_t> NpyArray::as_bytes() && {
  if (header_.kind != NpyKind::kUnsigned || header_.item_bytes != 1) {
    throw bad_input(place_ + ": does not hold bytes; expected uint8");
  }
  return std::move(data_);
}

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
      if (got == 0) throw corrupt(place_, "the data is cut short");
      checksum_ =
          static_cast<std::uint32_t>(crc32(checksum_, out.data() + done, static_cast<uInt>(got)));
      done += got;
    }
  }
  // Nothing may be left, and the checksum must be right.
  void finish(std::uint32_t checksum) {
    std::uint8_t more = 0;
    if (some({&more, 1}) != 0) throw corrupt(place_, "more data than the archive declares");
    if (checksum_ != checksum) throw corrupt(place_, "the checksum is wrong");
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
      packed_.remove_prefix(in - stream_.avail_in);
      ended_ = result == Z_STREAM_END;
      if (ended_) break;
      if (result != Z_OK && result != Z_BUF_ERROR) throw corrupt(place_, "damaged deflate data");
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

NpzFile NpzFile::read(const std::filesystem::path& path) {
  return from_bytes(read_file(path), path.string());
}

NpzFile NpzFile::from_bytes(std::string bytes, std::string name) {
  NpzFile file(std::move(bytes), std::move(name));
  file.read_directory();
  return file;
}

void NpzFile::read_directory() {
  const std::string_view bytes = bytes_;
  if (!is_zip(bytes)) throw corrupt(name_, "is not an .npz file; expected a zip archive");
  // The end record is last but for a comment of at most 65535 bytes, whose length it tells.
  std::optional<std::size_t> end;
  for (std::size_t back = kEndSize; back <= bytes.size() && back <= kEndSize + 65535; ++back) {
    const std::size_t at = bytes.size() - back;
    if (u32(bytes, at) == kEndMark && u16(bytes, at + 20) == back - kEndSize) {
      end = at;
      break;
    }
  }
  if (!end) throw corrupt(name_, "the zip archive has no end; is the file cut short?");
  std::uint64_t entries = u16(bytes, *end + 10);
  std::uint64_t directory_size = u32(bytes, *end + 12);
  std::uint64_t directory_offset = u32(bytes, *end + 16);
  bool one_disk = u16(bytes, *end + 4) == 0 && u16(bytes, *end + 6) == 0;
  const bool zip64 = *end >= kLocator64Size && u32(bytes, *end - kLocator64Size) == kLocator64Mark;
  if (zip64) {
    const std::uint64_t end64 = u64(bytes, *end - kLocator64Size + 8);
    if (!holds(bytes, end64, kEnd64Size) || u32(bytes, end64) != kEnd64Mark) {
      throw corrupt(name_, "the zip archive's end is damaged");
    }
    one_disk = u32(bytes, end64 + 16) == 0 && u32(bytes, end64 + 20) == 0;
    entries = u64(bytes, end64 + 32);
    directory_size = u64(bytes, end64 + 40);
    directory_offset = u64(bytes, end64 + 48);
  }
  if (!one_disk) throw corrupt(name_, "the zip archive is in several parts; expected one");
  if (!holds(bytes.substr(0, *end), directory_offset, directory_size)) {
    throw corrupt(name_, "the zip archive's directory is damaged");
  }
  const std::string_view directory = bytes.substr(directory_offset, directory_size);
  const std::string_view before = bytes.substr(0, directory_offset);
  std::size_t at = 0;
  for (std::uint64_t i = 0; i < entries; ++i) {
    const auto damaged = [&] { return corrupt(name_, "the zip archive's directory is damaged"); };
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

    // ZIP64: the numbers that did not fit, in this order (APPNOTE 4.5.3).
    for (std::size_t field = 0; holds(extra, field, 4);) {
      const std::size_t field_size = u16(extra, field + 2);
      if (!holds(extra, field + 4, field_size)) throw corrupt(where, "damaged zip entry");
      if (u16(extra, field) == 1) {
        const std::string_view wide = extra.substr(field + 4, field_size);
        std::size_t next = 0;
        for (std::uint64_t* number : {&size, &packed_size, &offset}) {
          if (*number != kSee64) continue;
          if (!holds(wide, next, 8)) throw corrupt(where, "damaged zip entry");
          *number = u64(wide, next);
          next += 8;
        }
      }
      field += 4 + field_size;
    }
    if ((flags & 1) != 0) throw bad_input(where + ": is encrypted; expected a plain archive");
    if (method != 0 && method != 8) {
      throw bad_input(
          fmt::format("{}: zip method {}; expected stored (0) or deflate (8)", where, method));
    }
    if (!holds(before, offset, kLocalSize) || u32(before, offset) != kLocalMark) {
      throw corrupt(where, "damaged zip entry");
    }
    const std::uint64_t data_offset =
        offset + kLocalSize + u16(before, offset + 26) + u16(before, offset + 28);
    const bool too_much = method == 0 ? size != packed_size
                                      : size > kDeflateSlack &&
                                            (size - kDeflateSlack) / kMaxDeflateRatio > packed_size;
    if (!holds(before, data_offset, packed_size) || too_much) {
      throw corrupt(where, "the sizes of the zip entry cannot be right");
    }
    if (!entries_.emplace(array, Entry{data_offset, packed_size, size, checksum, method == 8})
             .second) {
      throw corrupt(where, "is in the archive twice");
    }
  }
}

std::vector<std::string> NpzFile::names() const {
  std::vector<std::string> names;
  for (const auto& [array, entry] : entries_) names.push_back(array);
  return names;
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

namespace {

struct LocatedHeader {
  NpyHeader header;
  std::size_t size;  // of the header in bytes, with its magic
};

// Reads the header of an array whose entry has `entry_size` bytes.
template <typename ByteStream>
LocatedHeader read_header(ByteStream& stream, std::size_t entry_size, const std::string& place) {
  std::array<std::uint8_t, 12> start{};
  if (entry_size < start.size()) throw corrupt(place, "is not an .npy array");
  stream.read(std::span(start).first(10));
  const std::string_view magic(reinterpret_cast<const char*>(start.data()), start.size());
  if (!magic.starts_with("\x93NUMPY")) throw corrupt(place, "is not an .npy array");
  const int version = start[6];
  if (version < 1 || version > 3) {
    throw corrupt(place, fmt::format(".npy version {}; expected 1, 2 or 3", version));
  }
  std::size_t length = u16(magic, 8);
  std::size_t prefix = 10;
  if (version > 1) {
    stream.read(std::span(start).subspan(10, 2));
    length = u32(magic, 8);
    prefix = 12;
  }
  if (length > kMaxHeaderBytes || length > entry_size - prefix) {
    throw corrupt(place, fmt::format("a header of {} bytes; expected at most {}", length,
                                     std::min(kMaxHeaderBytes, entry_size - prefix)));
  }
  std::vector<std::uint8_t> text(length);
  stream.read(text);
  LocatedHeader located{
      HeaderParser({reinterpret_cast<const char*>(text.data()), length}, place).parse(),
      prefix + length};
  const auto expected = product(located.header.shape, located.header.item_bytes);
  // Text of no characters takes no bytes, so that the bytes do not bound the number of items.
  const auto items = product(located.header.shape, 1);
  if (!expected || !items || *expected != entry_size - located.size ||
      (located.header.item_bytes == 0 && *items > kMaxHeaderBytes)) {
    throw corrupt(place, fmt::format("{} bytes of data; expected as many as the shape {} needs",
                                     entry_size - located.size, show_shape(located.header.shape)));
  }
  return located;
}

}  // namespace

NpyHeader NpzFile::header(std::string_view array) const {
  const Entry& found = entry(array);
  const std::string where = place(array);
  Stream stream(*this, found, where);
  return read_header(stream, found.size, where).header;
}

NpyArray NpzFile::at(std::string_view array) const {
  const Entry& found = entry(array);
  std::string where = place(array);
  Stream stream(*this, found, where);
  LocatedHeader located = read_header(stream, found.size, where);
  std::vector<std::uint8_t> data(found.size - located.size);
  stream.read(data);
  stream.finish(found.checksum);
  if (located.header.fortran_order && located.header.item_bytes > 0) {
    data = from_fortran_order(located.header, data);
  }
  return NpyArray(std::move(located.header), std::move(data), std::move(where));
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
  // Version 1.0, padded so that the data starts at a multiple of 64.
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  dictionary.append(63 - (10 + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string array("\x93NUMPY\x01\x00", 8);
  append_number(array, static_cast<std::uint16_t>(dictionary.size()));
  array += dictionary;
  array += data;

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
