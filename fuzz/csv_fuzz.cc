// Any bytes as CSV: read as a simple parser reads them, or refused where that one refuses. A field
// that was read, written again, reads the same, and numbers are those of the C library.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ifd/data/csv.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace {

struct Read {
  std::vector<std::vector<std::string>> records;  // the header first
  bool refused = false;

  bool operator==(const Read&) const = default;
};

bool is_text(std::string_view bytes) {
  return bytes.find('\0') == std::string_view::npos && !bytes.starts_with("PK\x03\x04") &&
         !bytes.starts_with("PK\x05\x06") && ifd::first_invalid_utf8(bytes) == bytes.size();
}

// The field at the beginning of `rest`, up to the comma or line feed after it; false for quotes
// that are not right.
bool take_field(std::string_view& rest, std::string& field) {
  const bool quoted = rest.starts_with('"');
  if (quoted) rest.remove_prefix(1);
  for (;; rest.remove_prefix(1)) {
    if (quoted && rest.starts_with("\"\"")) {
      rest.remove_prefix(1);
    } else if (quoted ? rest.empty() || rest[0] == '"'
                      : rest.empty() || rest[0] == ',' || rest[0] == '\n') {
      break;
    }
    field += rest[0];
  }
  if (!quoted) {
    if (!rest.starts_with(',') && field.ends_with('\r')) field.pop_back();
    return true;
  }
  if (rest.empty()) return false;
  rest.remove_prefix(1);
  if (rest == "\r" || rest.starts_with("\r\n")) rest.remove_prefix(1);
  return rest.empty() || rest[0] == ',' || rest[0] == '\n';
}

bool take_record(std::string_view& rest, std::vector<std::string>& record) {
  for (;;) {
    if (!take_field(rest, record.emplace_back())) return false;
    const bool more = rest.starts_with(',');
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

Read read_simply(std::string_view rest) {
  Read read;
  read.refused = !is_text(rest);
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
  while (!read.refused && !rest.empty()) {
    if (rest.starts_with('\n') || rest.starts_with("\r\n")) {
      rest.remove_prefix(rest[0] == '\n' ? 1 : 2);
      continue;
    }
    std::vector<std::string> record;
    read.refused =
        !take_record(rest, record) ||
        (read.records.empty() ? !is_header(record) : record.size() != read.records[0].size());
    if (!read.refused) read.records.push_back(std::move(record));
  }
  read.refused = read.refused || read.records.empty();
  return read;
}

void check_number(const ifd::CsvReader& csv, std::size_t column) {
  const auto same = [](auto a, auto b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  const std::string text(csv.field(column));
  try {
    if (!same(csv.number(column), std::strtod(text.c_str(), nullptr))) std::abort();
    if (!same(csv.float_number(column), std::strtof(text.c_str(), nullptr))) std::abort();
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
  check_number(csv, column);
}

void look_up_columns(const ifd::CsvReader& csv) {
  try {
    if (!csv.columns()[0].empty() && csv.required_column(csv.columns()[0]) != 0) std::abort();
    csv.required_column("absent");
  } catch (const ifd::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Read read;
  try {
    ifd::CsvReader csv(bytes, "x.csv");
    const std::size_t most = csv.most_rows_left();
    look_up_columns(csv);
    read.records.push_back(csv.columns());
    while (csv.next()) {
      auto& record = read.records.emplace_back();
      for (std::size_t i = 0; i < csv.columns().size(); ++i) {
        record.emplace_back(csv.field(i));
        check_field(csv, i);
      }
    }
    if (read.records.size() - 1 > most) std::abort();
  } catch (const ifd::Error&) {
    read.refused = true;
  }
  if (!(read == read_simply(bytes))) std::abort();
  return 0;
}
