// CSV by RFC 4180: commas, a header line, fields in quotes where they must be; and what people have
// instead: semicolons or tabs, decimal commas, other encodings, blanks around names.
//
// Read in place over the bytes of the whole file, because a row at a time through streams would
// make a million rows wait. Accepted beyond the RFC: a byte order mark, LF as well as CRLF, blank
// lines (skipped), a quote inside a field that does not start with one (taken literally). What was
// taken for granted (encoding, separator, decimal commas) is said in notes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/csv_text.h"
#include "ifd/data/name_spelling.h"
#include "ifd/data/read_limits.h"
#include "ifd/data/read_options.h"

namespace ifd {

// Everything wrong with the file is an Error(kBadInput) that names file and line. Not thread-safe.
class CsvReader {
 public:
  // `options.limits` are what is left of those of the file where it was compressed (read_contents).
  // Makes the bytes UTF-8 text (text_encoding.h), finds the separator (csv_dialect.h) and reads the
  // header. `name` is the file in messages.
  CsvReader(std::string bytes, std::string name, const ReadOptions& options = {});
  CsvReader(const CsvReader&) = delete;
  CsvReader& operator=(const CsvReader&) = delete;

  // Without blanks around them.
  const std::vector<std::string>& columns() const { return columns_; }
  // The column of that name or, where there is none, of that name in other letter case (of ASCII);
  // Error(kBadInput) where two are.
  std::optional<std::size_t> column(std::string_view name) const;
  std::size_t required_column(std::string_view name) const;

  // Moves on to the next row; false at the end. Every row has as many fields as the header.
  bool next();

  // A field of the current row, without blanks around it, in quotes or not. The characters stay
  // where they are as long as the reader lives.
  std::string_view field(std::size_t column) const { return trimmed(fields_[column]); }

  // A field as a number, blanks around it ignored, rounded to the nearest. "nan" and "inf" are
  // numbers; too large is an infinity, too small is 0. Where the separator is no comma, numbers may
  // have decimal commas: all that are not whole, or none.
  float float_number(std::size_t column) const;
  double number(std::size_t column) const;
  // A percentage, with or without its sign, as a share: 0.6 for "60" and "60 %".
  double percentage(std::size_t column) const;

  // The line on which the current row starts, from 1, and the place for messages: "p.csv:7".
  std::size_t line() const { return line_; }
  std::string place() const;
  const std::string& name() const { return name_; }
  char separator() const { return separator_; }

  // What the rows become in memory, to be told before it is taken. With the columns it may be as
  // much as the file may unfold to; Error(kCorruptFile) otherwise.
  void take_room(std::uint64_t bytes) { room_.take(bytes); }
  void take_room(std::uint64_t count, std::uint64_t bytes_each) { room_.take(count, bytes_each); }

  // No more rows than this are left: what to reserve, never more than there are bytes.
  std::size_t most_rows_left() const;

 private:
  bool read_record();
  template <char kSeparator>
  bool read_separated();
  void tell_fields();
  std::size_t read_quoted(std::size_t begin);
  std::string_view with_point(std::string_view number, std::size_t column) const;
  template <typename Number>
  Number parse_number(std::string_view text, std::size_t column) const;
  std::string field_count_hint() const;

  std::string bytes_;
  std::string name_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> fields_;
  std::size_t fields_told_ = 0;  // of a row, for which there is room
  std::size_t at_ = 0;           // where the next record starts
  std::size_t line_ = 0;         // line of the current record
  std::size_t next_line_ = 1;    // line of position at_
  ReadOptions options_;
  ReadRoom room_;
  char separator_ = ',';
  std::size_t header_line_ = 1;
  // What the numbers so far say: the first one that is not whole decides.
  enum class Decimal { kOpen, kPoint, kComma };
  mutable Decimal decimal_ = Decimal::kPoint;
  mutable std::size_t decimal_line_ = 0;
  mutable std::string number_;  // with a point in place of its comma
};

// The text as one field: in quotes where it needs them.
std::string csv_field(std::string_view text, CsvText kind = CsvText::kExact);

}  // namespace ifd
