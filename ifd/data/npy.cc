#include "ifd/data/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "ifd/data/half_float.h"
#include "ifd/data/little_endian.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

constexpr std::size_t kMaxHeaderBytes = 65536;
constexpr std::size_t kMaxDimensions = 32;

Error corrupt_array(const std::string& place, std::string_view what) {
  return {ErrorKind::kCorruptFile, fmt::format("{}: {}", place, what)};
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
    return corrupt_array(place_,
                         "the array's header is damaged; expected descr, fortran_order, shape");
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

struct LocatedHeader {
  NpyHeader header;
  std::size_t size;  // of the header in bytes, with its magic
};

LocatedHeader read_header(const ByteReader& read, std::size_t entry_size,
                          const std::string& place) {
  std::array<std::uint8_t, 12> start{};
  if (entry_size < start.size()) throw corrupt_array(place, "is not an .npy array");
  read(std::span(start).first(10));
  const std::string_view magic(reinterpret_cast<const char*>(start.data()), start.size());
  if (!is_npy(magic)) throw corrupt_array(place, "is not an .npy array");
  const int version = start[6];
  if (version < 1 || version > 3) {
    throw corrupt_array(place, fmt::format(".npy version {}; expected 1, 2 or 3", version));
  }
  std::size_t length = u16(magic, 8);
  std::size_t prefix = 10;
  if (version > 1) {
    read(std::span(start).subspan(10, 2));
    length = u32(magic, 8);
    prefix = 12;
  }
  if (length > kMaxHeaderBytes || length > entry_size - prefix) {
    throw corrupt_array(place, fmt::format("a header of {} bytes; expected at most {}", length,
                                           std::min(kMaxHeaderBytes, entry_size - prefix)));
  }
  std::vector<std::uint8_t> text(length);
  read(text);
  LocatedHeader located{
      HeaderParser({reinterpret_cast<const char*>(text.data()), length}, place).parse(),
      prefix + length};
  const auto expected = product(located.header.shape, located.header.item_bytes);
  // Text of no characters takes no bytes, so that the bytes do not bound the number of items.
  const auto items = product(located.header.shape, 1);
  if (!expected || !items || *expected != entry_size - located.size ||
      (located.header.item_bytes == 0 && *items > kMaxHeaderBytes)) {
    throw corrupt_array(place,
                        fmt::format("{} bytes of data; expected as many as the shape {} needs",
                                    entry_size - located.size, show_shape(located.header.shape)));
  }
  return located;
}

}  // namespace

std::size_t NpyHeader::items() const {
  const auto count = product(shape, 1);
  if (!count) {
    throw bad_input(
        fmt::format("shape {}; expected one whose elements can be counted", show_shape(shape)));
  }
  return *count;
}

NpyArray::NpyArray(NpyHeader header, std::vector<std::uint8_t> data, std::string place,
                   std::uint64_t allowed)
    : header_(std::move(header)),
      data_(std::move(data)),
      place_(std::move(place)),
      allowed_(allowed) {
  if (data_.size() != header_.items() * header_.item_bytes) {
    throw bad_input(fmt::format("{}: {} bytes; expected {} elements of {}", place_, data_.size(),
                                header_.items(), header_.item_bytes));
  }
}

void NpyArray::check_room(std::size_t bytes_each) const {
  if (header_.items() <= allowed_ / bytes_each) return;
  throw corrupt_array(
      place_, fmt::format("{} elements take {} bytes each in memory; expected at most {} bytes; "
                          "--max-expansion allows more",
                          header_.items(), bytes_each, allowed_));
}

template <typename Number>
std::vector<Number> NpyArray::as_numbers() const {
  check_room(sizeof(Number));
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
  check_room(sizeof(std::string));
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

bool is_npy(std::string_view bytes) { return bytes.starts_with("\x93NUMPY"); }

std::string type_name(const NpyHeader& header) {
  switch (header.kind) {
    case NpyKind::kBool:
      return "bool";
    case NpyKind::kSigned:
      return fmt::format("int{}", 8 * header.item_bytes);
    case NpyKind::kUnsigned:
      return fmt::format("uint{}", 8 * header.item_bytes);
    case NpyKind::kFloat:
      return fmt::format("float{}", 8 * header.item_bytes);
    case NpyKind::kText:
    case NpyKind::kBytes:
      break;
  }
  return "text";
}

std::string type_and_shape(const NpyHeader& header) {
  return fmt::format("{} {}", type_name(header), show_shape(header.shape));
}

NpyHeader read_npy_header(const ByteReader& read, std::size_t size, const std::string& place) {
  return read_header(read, size, place).header;
}

NpyArray read_npy(const ByteReader& read, std::size_t size, const std::string& place,
                  std::uint64_t allowed) {
  LocatedHeader located = read_header(read, size, place);
  std::vector<std::uint8_t> data(size - located.size);
  read(data);
  if (located.header.fortran_order && located.header.item_bytes > 0) {
    data = from_fortran_order(located.header, data);
  }
  return NpyArray(std::move(located.header), std::move(data), place, allowed);
}

std::string npy_bytes(std::string_view descr, const std::vector<std::size_t>& shape,
                      std::string_view data) {
  // Padded so that the data starts at a multiple of 64.
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                  fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  dictionary.append(63 - (10 + dictionary.size()) % 64, ' ');
  dictionary += '\n';
  std::string array("\x93NUMPY\x01\x00", 8);
  append_number(array, static_cast<std::uint16_t>(dictionary.size()));
  array += dictionary;
  array += data;
  return array;
}

}  // namespace ifd
