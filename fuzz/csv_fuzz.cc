// Any bytes as CSV: read as a simple parser reads them, or refused where that one refuses. A field
// that was read, written again, reads the same, and numbers are those of the C library. Encoding
// and separator are found by what has tests of its own; here they are what the reader must keep to.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/one_way.h"
#include "ifd/data/csv.h"
#include "ifd/data/csv_dialect.h"
#include "ifd/data/foreign_format.h"
#include "ifd/data/text_encoding.h"
#include "ifd/error.h"

namespace {

struct Read {
  std::vector<std::vector<std::string>> records;  // the header first
  bool refused = false;

  bool operator==(const Read&) const = default;
};

// The field at the beginning of `rest`, up to the separator or line feed after it; false for quotes
// that are not right.
bool take_field(std::string_view& rest, char separator, std::string& field) {
  const bool quoted = rest.starts_with('"');
  if (quoted) rest.remove_prefix(1);
  for (;; rest.remove_prefix(1)) {
    if (quoted && rest.starts_with("\"\"")) {
      rest.remove_prefix(1);
    } else if (quoted ? rest.empty() || rest[0] == '"'
                      : rest.empty() || rest[0] == separator || rest[0] == '\n') {
      break;
    }
    field += rest[0];
  }
  if (!quoted) {
    if (!rest.starts_with(separator) && field.ends_with('\r')) field.pop_back();
    return true;
  }
  if (rest.empty()) return false;
  rest.remove_prefix(1);
  if (rest == "\r" || rest.starts_with("\r\n")) rest.remove_prefix(1);
  return rest.empty() || rest[0] == separator || rest[0] == '\n';
}

bool take_record(std::string_view& rest, char separator, std::vector<std::string>& record) {
  for (;;) {
    if (!take_field(rest, separator, record.emplace_back())) return false;
    const bool more = rest.starts_with(separator);
    if (!rest.empty()) rest.remove_prefix(1);
    if (!more) return true;
  }
}

bool is_header(const std::vector<std::string>& names) {
  std::set<std::string> seen;
  for (const std::string& name : names) {
    if (name.find('\r') != std::string::npos) return false;
    if (!name.empty() && !seen.insert(name).second) return false;
  }
  return true;
}

// The blank that the field begins or ends with; empty for none.
std::string_view blank_around(std::string_view field) {
  for (const std::string_view blank : {" ", "\t", "\xC2\xA0"}) {
    if (field.starts_with(blank) || field.ends_with(blank)) return blank;
  }
  return {};
}

std::string_view trimmed_simply(std::string_view field) {
  for (std::string_view blank; !(blank = blank_around(field)).empty();) {
    if (field.starts_with(blank)) {
      field.remove_prefix(blank.size());
    } else {
      field.remove_suffix(blank.size());
    }
  }
  return field;
}

Read read_simply(const std::string& bytes) {
  Read read;
  read.refused = true;
  std::string text;
  ifd::CsvDialect dialect;
  try {
    if (ifd::foreign_format(bytes)) return read;
    text = ifd::utf8_text(bytes, "x.csv");
    dialect = ifd::csv_dialect(text, "x.csv");
  } catch (const ifd::Error&) {
    return read;
  }
  read.refused = false;
  std::string_view rest = std::string_view(text).substr(dialect.begin);
  while (!read.refused && !rest.empty()) {
    if (rest.starts_with('\n') || rest.starts_with("\r\n")) {
      rest.remove_prefix(rest[0] == '\n' ? 1 : 2);
      continue;
    }
    std::vector<std::string> record;
    read.refused = !take_record(rest, dialect.separator, record);
    for (std::string& field : record) field = std::string(trimmed_simply(field));
    read.refused = read.refused || (read.records.empty() ? !is_header(record)
                                                         : record.size() != read.records[0].size());
    if (!read.refused) read.records.push_back(std::move(record));
  }
  read.refused = read.refused || read.records.empty();
  return read;
}

// A refusal takes longer than all the rest, so at most one number of three is asked for twice.
void check_number(const ifd::CsvReader& csv, std::size_t column, std::size_t way) {
  const auto same = [](auto a, auto b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  std::string text(csv.field(column));
  if (csv.separator() != ',' && text.find(',') != std::string::npos) text[text.find(',')] = '.';
  try {
    switch (way) {
      case 0:
        if (!same(csv.number(column), std::strtod(text.c_str(), nullptr))) std::abort();
        break;
      case 1:
        if (!same(csv.float_number(column), std::strtof(text.c_str(), nullptr))) std::abort();
        break;
      default: {
        const double percentage = csv.percentage(column);
        if (!text.ends_with('%') && !same(percentage, csv.number(column) / 100)) std::abort();
      }
    }
  } catch (const ifd::Error&) {
  }
}

// For a spreadsheet the same, or behind an apostrophe.
void check_safe_field(std::string_view field) {
  const std::string safe = ifd::csv_field(field, ifd::CsvText::kSpreadsheetSafe);
  ifd::CsvReader read("a,b\n" + safe + ",x\n", "safe.csv");
  if (!read.next()) std::abort();
  if (read.field(0) != field && read.field(0) != "'" + std::string(field)) std::abort();
}

void check_field(const ifd::CsvReader& csv, std::size_t column) {
  ifd::CsvReader again("a,b\n" + ifd::csv_field(csv.field(column)) + ",x\n", "copy.csv");
  if (!again.next() || again.field(0) != csv.field(column)) std::abort();
  check_safe_field(csv.field(column));
}

void look_up_columns(const ifd::CsvReader& csv, bool all) {
  if (!csv.columns()[0].empty() && csv.required_column(csv.columns()[0]) != 0) std::abort();
  if (!all) return;
  try {
    csv.column("CASE");
    csv.required_column("absent");
  } catch (const ifd::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  // One field is looked at closely, all of them now and then.
  ifd::fuzz::Draws draws(bytes);
  const bool all = draws.once_in(16);
  std::size_t fields_before = draws.below(1 + draws.below(16));
  Read read;
  try {
    ifd::CsvReader csv(bytes, "x.csv");
    const std::size_t most = csv.most_rows_left();
    look_up_columns(csv, all);
    read.records.push_back(csv.columns());
    while (csv.next()) {
      auto& record = read.records.emplace_back();
      for (std::size_t i = 0; i < csv.columns().size(); ++i) {
        record.emplace_back(csv.field(i));
        if (!all && fields_before-- != 0) continue;
        check_field(csv, i);
        check_number(csv, i, draws.below(3));
      }
    }
    if (read.records.size() - 1 > most) std::abort();
  } catch (const ifd::Error&) {
    read.refused = true;
  }
  if (!(read == read_simply(bytes))) std::abort();
  return 0;
}
