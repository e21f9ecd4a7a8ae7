#include "ifd/data/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <type_traits>
#include <unordered_set>
#include <utility>

#include "ifd/data/csv_dialect.h"
#include "ifd/data/foreign_format.h"
#include "ifd/data/text_encoding.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

// The first separator or line feed at or after `begin`, or the end.
template <char kSeparator>
std::size_t end_of_plain_field(std::string_view bytes, std::size_t begin) {
  const char* p = bytes.data() + begin;
  const char* const end = bytes.data() + bytes.size();
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    constexpr std::uint64_t kHighs = 0x8080808080808080U;
    // The lowest set bit marks the first zero byte; bits above it may be wrong and are not read.
    const auto zero_bytes = [](std::uint64_t word) { return (word - kOnes) & ~word & kHighs; };
    for (; end - p >= 8; p += 8) {
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      const std::uint64_t found =
          zero_bytes(word ^ (kOnes * kSeparator)) | zero_bytes(word ^ (kOnes * '\n'));
      if (found != 0) {
        return static_cast<std::size_t>(p - bytes.data()) + std::countr_zero(found) / 8;
      }
    }
  }
  while (p != end && *p != kSeparator && *p != '\n') ++p;
  return static_cast<std::size_t>(p - bytes.data());
}

// 10^0 .. 10^22: the powers of ten that are doubles.
constexpr std::array<double, 23> kPowersOfTen{1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

constexpr std::array<std::uint64_t, 9> kTens{1,      10,      100,      1000,     10000,
                                             100000, 1000000, 10000000, 100000000};

// Eight characters, the first in the lowest byte.
std::uint64_t load_word(const char* at) {
  std::uint64_t word;
  std::memcpy(&word, at, 8);
  if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
  return word;
}

bool are_digits(std::uint64_t word) {
  constexpr std::uint64_t kHighHalves = 0xF0F0F0F0F0F0F0F0U;
  constexpr std::uint64_t kZeros = 0x3030303030303030U;
  // Adding 6 carries ':' to '?' into the high half; a digit stays.
  return (word & kHighHalves) == kZeros && ((word + 0x0606060606060606U) & kHighHalves) == kZeros;
}

// The number of eight digits, the first in the lowest byte: pairs, then both halves at once.
std::uint64_t eight_digits(std::uint64_t word) {
  word &= 0x0F0F0F0F0F0F0F0FU;
  word = word * 10 + (word >> 8);
  constexpr std::uint64_t kPairs = 0x000000FF000000FFU;
  return ((word & kPairs) * (100 + (std::uint64_t{1000000} << 32)) +
          (word >> 16 & kPairs) * (1 + (std::uint64_t{10000} << 32))) >>
         32;
}

// The last `count` bytes of the word, with '0' in front of them.
std::uint64_t zero_filled(std::uint64_t word, std::size_t count) {
  constexpr std::uint64_t kZeros = 0x3030303030303030U;
  if (count == 0) return kZeros;
  return (word & ~std::uint64_t{0} << (64 - 8 * count)) | (count == 8 ? 0 : kZeros >> 8 * count);
}

// "0.125" as 125: one digit, a point and 1 to 16 digits; nothing where there is anything else.
// Two words that may overlap are read whole, so that how many digits there are costs no branch.
[[gnu::always_inline]] inline std::optional<std::uint64_t> digits_around_point(
    std::string_view text) {
  const unsigned first = static_cast<unsigned char>(text[0]) - '0';
  const std::size_t after = text.size() - 2;
  if (first > 9 || after > 16) return std::nullopt;
  if (text.size() < 8) {
    std::uint64_t digits = first;
    for (const char c : text.substr(2)) {
      const unsigned digit = static_cast<unsigned char>(c) - '0';
      if (digit > 9) return std::nullopt;
      digits = digits * 10 + digit;
    }
    return digits;
  }
  const std::size_t in_back = std::min<std::size_t>(after, 8);
  const std::size_t in_front = after - in_back;
  const char* const front_at = text.data() + (in_front == 0 ? 0 : 2);
  const std::uint64_t front =
      zero_filled(load_word(front_at) << (in_front == 0 ? 0 : 64 - 8 * in_front), in_front);
  const std::uint64_t back = zero_filled(load_word(text.data() + text.size() - 8), in_back);
  if (!are_digits(front) || !are_digits(back)) return std::nullopt;
  return (first * kTens[in_front] + eight_digits(front)) * kTens[in_back] + eight_digits(back);
}

// The number of a plain decimal like 0.0625 or 6.25e-02, to the same bits as std::from_chars and
// faster; nothing where the text is anything else.
//
// digits * 10^power with digits <= 2^53 and |power| <= 22 is one operation on two doubles, so it
// is rounded once and correctly (Clinger 1990). A float is then rounded a second time. That is
// right too unless the double lies exactly half-way between two floats, where the first rounding
// may have hidden on which side the decimal was. No such number leaves the normal floats.
template <typename Number>
std::optional<Number> plain_decimal(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  int power = 0;
  if (text.size() > 4 && text[text.size() - 4] == 'e') {
    const std::string_view exponent = text.substr(text.size() - 3);
    const unsigned tens = static_cast<unsigned char>(exponent[1]) - '0';
    const unsigned ones = static_cast<unsigned char>(exponent[2]) - '0';
    if ((exponent[0] != '-' && exponent[0] != '+') || tens > 9 || ones > 9) return std::nullopt;
    power = static_cast<int>(10 * tens + ones);
    if (exponent[0] == '-') power = -power;
    text.remove_suffix(4);
  }
  if (text.size() < 3 || text[1] != '.') return std::nullopt;
  const auto digits = digits_around_point(text);
  power -= static_cast<int>(text.size() - 2);
  constexpr int kMostPower = static_cast<int>(kPowersOfTen.size()) - 1;
  if (!digits || *digits > std::uint64_t{1} << 53 || power < -kMostPower || power > kMostPower) {
    return std::nullopt;
  }
  double value = static_cast<double>(*digits);
  if (power < 0) {
    value /= kPowersOfTen[static_cast<std::size_t>(-power)];
  } else {
    value *= kPowersOfTen[static_cast<std::size_t>(power)];
  }
  if constexpr (std::is_same_v<Number, float>) {
    constexpr std::uint64_t kBelowFloat = (std::uint64_t{1} << 29) - 1;
    constexpr std::uint64_t kHalf = std::uint64_t{1} << 28;
    if ((std::bit_cast<std::uint64_t>(value) & kBelowFloat) == kHalf) return std::nullopt;
  }
  return static_cast<Number>(negative ? -value : value);
}

// Whether a decimal number beyond the range of double is too large rather than too small: where
// its first significant digit stands.
bool is_huge(std::string_view text) {
  std::int64_t power = 0;
  const std::size_t e = text.find_first_of("eE");
  if (e != std::string_view::npos) {
    std::string_view exponent = text.substr(e + 1);
    if (exponent.starts_with('+')) exponent.remove_prefix(1);
    const auto [end, error] =
        std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
    if (error == std::errc::result_out_of_range) return exponent.front() != '-';
    // Beyond any text that fits in memory, and far from overflow below.
    constexpr std::int64_t kMost = std::int64_t{1} << 60;
    power = std::clamp(power, -kMost, kMost);
    text = text.substr(0, e);
  }
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::size_t digit = text.find_first_of("123456789");
  return power + static_cast<std::int64_t>(point) > static_cast<std::int64_t>(digit);
}

bool is_whole(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Why a text may fail to be a number, and what to do about it.
std::string_view number_hint(std::string_view text, char separator) {
  if (text.ends_with('%')) {
    return "; a percentage? --percent reads those of predictions, others divide by 100";
  }
  if (text.starts_with('-')) text.remove_prefix(1);
  const std::size_t comma = text.find(',');
  const bool decimal = separator == ',' && comma != std::string_view::npos &&
                       is_whole(text.substr(0, comma)) && is_whole(text.substr(comma + 1));
  return decimal ? "; a decimal comma? write a point, or separate the fields by semicolons" : "";
}

}  // namespace

CsvReader::CsvReader(std::string bytes, std::string name, const ReadOptions& options)
    : name_(std::move(name)),
      options_(options),
      room_(name_, options.limits.allowed(bytes.size())) {
  refuse_foreign_format(bytes, name_, "CSV text");
  bytes_ = utf8_text(std::move(bytes), name_, options_);
  const CsvDialect dialect = csv_dialect(bytes_, name_);
  separator_ = dialect.separator;
  at_ = dialect.begin;
  next_line_ = dialect.line;
  if (separator_ != ',') decimal_ = Decimal::kOpen;
  if (!read_record()) throw bad_input(name_ + ": is empty; expected a header line");
  take_room(fields_.size(), sizeof(std::string));
  for (const std::string_view column : fields_) columns_.emplace_back(trimmed(column));
  std::unordered_set<std::string_view> seen;
  for (const std::string& column : columns_) {
    if (column.find('\r') != std::string::npos) {
      throw bad_input(place() + ": a lone carriage return; expected lines that end in LF or CRLF");
    }
    // Columns without a name are what spreadsheets and data frames leave for an index.
    if (!column.empty() && !seen.insert(column).second) {
      throw bad_input(fmt::format("{}: two columns are named '{}'; expected distinct names",
                                  place(), excerpt(column)));
    }
  }
  header_line_ = line_;
  if (separator_ != ',') {
    options_.note(fmt::format("{}: separated by {}", name_, separator_ == ';' ? "';'" : "tabs"));
  }
}

std::optional<std::size_t> CsvReader::column(std::string_view name) const {
  const auto exact = std::find(columns_.begin(), columns_.end(), name);
  if (exact != columns_.end()) return static_cast<std::size_t>(exact - columns_.begin());
  const std::string wanted = lower_case(name);
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].size() != name.size() || lower_case(columns_[i]) != wanted) continue;
    if (found) {
      throw bad_input(fmt::format("{}:{}: columns '{}' and '{}' may both be '{}'; expected one",
                                  name_, header_line_, columns_[*found], columns_[i], name));
    }
    found = i;
  }
  return found;
}

std::size_t CsvReader::required_column(std::string_view name) const {
  if (const auto found = column(name)) return *found;
  throw bad_input(fmt::format("{}:{}: no column '{}'; found {}", name_, header_line_, name,
                              excerpt(fmt::format("{}", fmt::join(columns_, ", ")))));
}

bool CsvReader::next() {
  if (!read_record()) return false;
  if (fields_.size() != columns_.size()) {
    throw bad_input(fmt::format("{}: {} field(s); expected {}{}", place(), fields_.size(),
                                columns_.size(), field_count_hint()));
  }
  return true;
}

// Where commas within numbers explain the fields that are too many: "0,6" makes two of one.
std::string CsvReader::field_count_hint() const {
  if (separator_ != ',' || fields_.size() <= columns_.size()) return {};
  const std::size_t too_many = fields_.size() - columns_.size();
  std::size_t split = 0;
  for (std::size_t i = 0; i + 1 < fields_.size(); ++i) {
    std::string_view whole = field(i);
    if (whole.starts_with('-')) whole.remove_prefix(1);
    if (!is_whole(whole) || !is_whole(field(i + 1))) continue;
    ++split;
    ++i;
  }
  if (split < too_many) return {};
  return "; decimal commas? write points, or separate the fields by semicolons";
}

// Leaves the fields of the next record that is not a blank line in fields_.
bool CsvReader::read_record() {
  if (separator_ == ',') return read_separated<','>();
  return separator_ == ';' ? read_separated<';'>() : read_separated<'\t'>();
}

template <char kSeparator>
bool CsvReader::read_separated() {
  const std::string_view bytes = bytes_;
  while (at_ < bytes.size() && (bytes[at_] == '\n' || bytes.substr(at_, 2) == "\r\n")) {
    at_ += bytes[at_] == '\n' ? 1 : 2;
    ++next_line_;
  }
  line_ = next_line_;
  if (at_ == bytes.size()) return false;
  fields_.clear();
  for (;;) {
    if (fields_.size() == fields_told_) tell_fields();
    std::size_t end;
    if (at_ < bytes.size() && bytes[at_] == '"') {
      end = read_quoted(at_);
    } else {
      end = end_of_plain_field<kSeparator>(bytes, at_);
      const bool last = end == bytes.size() || bytes[end] == '\n';
      const bool crlf = last && end > at_ && bytes[end - 1] == '\r';
      fields_.push_back(bytes.substr(at_, end - at_ - (crlf ? 1 : 0)));
    }
    at_ = std::min(end + 1, bytes.size());
    if (end < bytes.size() && bytes[end] == kSeparator) continue;
    ++next_line_;
    return true;
  }
}

// A comma is a field of its own, so a line may have as many as bytes.
void CsvReader::tell_fields() {
  constexpr std::size_t kAtOnce = 64;
  take_room(kAtOnce, sizeof(std::string_view));
  fields_told_ += kAtOnce;
}

// Reads the field whose opening quote is at `begin`, undoubling its quotes in place, and returns
// the position of the separator or line feed after it, or the end.
std::size_t CsvReader::read_quoted(std::size_t begin) {
  const std::size_t first_line = next_line_;
  std::size_t to = begin + 1;
  std::size_t from = to;
  for (;;) {
    const std::size_t quote = bytes_.find('"', from);
    if (quote == std::string::npos) {
      throw bad_input(fmt::format("{}:{}: a quote that is never closed; expected a second one",
                                  name_, first_line));
    }
    next_line_ +=
        static_cast<std::size_t>(std::count(bytes_.begin() + from, bytes_.begin() + quote, '\n'));
    if (to != from) std::memmove(bytes_.data() + to, bytes_.data() + from, quote - from);
    to += quote - from;
    from = quote + 1;
    if (from == bytes_.size() || bytes_[from] != '"') break;
    bytes_[to++] = '"';
    ++from;
  }
  fields_.push_back(std::string_view(bytes_).substr(begin + 1, to - begin - 1));
  std::size_t end = from;
  if (bytes_.compare(end, 2, "\r\n") == 0 || (end + 1 == bytes_.size() && bytes_[end] == '\r')) {
    ++end;
  }
  if (end < bytes_.size() && bytes_[end] != separator_ && bytes_[end] != '\n') {
    throw bad_input(fmt::format("{}:{}: text after a closing quote; expected {} or a new line",
                                name_, next_line_, separator_word(separator_)));
  }
  return end;
}

// The number with a point where it has a decimal comma.
std::string_view CsvReader::with_point(std::string_view number, std::size_t column) const {
  const std::size_t mark = number.find_first_of(",.");
  if (mark == std::string_view::npos) return number;
  const Decimal here = number[mark] == ',' ? Decimal::kComma : Decimal::kPoint;
  if (decimal_ == Decimal::kOpen) {
    decimal_ = here;
    decimal_line_ = line_;
    if (here == Decimal::kComma) options_.note(name_ + ": the numbers have decimal commas");
  }
  if (decimal_ != here) {
    const auto word = [](Decimal kind) { return kind == Decimal::kComma ? "comma" : "point"; };
    throw bad_input(fmt::format(
        "{}: '{}' in column '{}' has a decimal {}, but line {} has a decimal {}; expected one of "
        "them in all of the file",
        place(), excerpt(number), excerpt(columns_[column]), word(here), decimal_line_,
        word(decimal_)));
  }
  if (here == Decimal::kPoint) return number;
  number_.assign(number);
  number_[mark] = '.';
  return number_;
}

template <typename Number>
Number CsvReader::parse_number(std::string_view text, std::size_t column) const {
  if (separator_ != ',') text = with_point(text, column);
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  if (const auto number = plain_decimal<Number>(text)) return *number;
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || error == std::errc::invalid_argument) {
    throw bad_input(fmt::format("{}: '{}' is not a number; expected one in column '{}'{}", place(),
                                excerpt(fields_[column]), excerpt(columns_[column]),
                                number_hint(field(column), separator_)));
  }
  if (error == std::errc::result_out_of_range) {
    const bool negative = text.front() == '-';
    if (negative) text.remove_prefix(1);
    const Number size = is_huge(text) ? std::numeric_limits<Number>::infinity() : Number{0};
    return negative ? -size : size;
  }
  return value;
}

float CsvReader::float_number(std::size_t column) const {
  return parse_number<float>(field(column), column);
}

double CsvReader::number(std::size_t column) const {
  return parse_number<double>(field(column), column);
}

double CsvReader::percentage(std::size_t column) const {
  std::string_view text = field(column);
  if (text.ends_with('%')) text = trimmed(text.substr(0, text.size() - 1));
  return parse_number<double>(text, column) / 100;
}

std::string CsvReader::place() const { return fmt::format("{}:{}", name_, line_); }

std::size_t CsvReader::most_rows_left() const {
  const auto lines =
      static_cast<std::size_t>(std::count(bytes_.begin() + at_, bytes_.end(), '\n')) + 1;
  // A row of so many fields has at least so many commas and line feeds, but for the last.
  return std::min(lines, (bytes_.size() - at_ + 1) / columns_.size());
}

std::string csv_field(std::string_view text, CsvText kind) {
  if (kind == CsvText::kSpreadsheetSafe && text.find_first_of("=+-@\t\r") == 0) {
    return csv_field(std::string("'").append(text));
  }
  const bool blank_edge = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!blank_edge && text.find_first_of(",;\t\"\r\n") == std::string_view::npos) {
    return std::string(text);
  }
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  field += '"';
  return field;
}

}  // namespace ifd
