#include "ifd/data/csv_dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

constexpr std::string_view kSeparators = ",;\t";
constexpr std::size_t kRowsLookedAt = 10;

// A record as one separator splits it. It fits where quotes stand only around whole fields: a quote
// elsewhere means that the separator is another.
struct Record {
  std::size_t fields = 0;
  std::size_t end = 0;  // after its line feed
  bool fits = true;
};

// The position after the closing quote of the field that opens at `at`, or npos.
std::size_t after_quotes(std::string_view text, std::size_t at) {
  for (++at;; at += 2) {
    at = text.find('"', at);
    if (at == std::string_view::npos) return at;
    if (at + 1 == text.size() || text[at + 1] != '"') return at + 1;
  }
}

Record record_at(std::string_view text, std::size_t at, char separator) {
  Record record;
  for (;;) {
    ++record.fields;
    if (at < text.size() && text[at] == '"') {
      at = after_quotes(text, at);
      if (at == std::string_view::npos) return {record.fields, text.size(), false};
      if (at < text.size() && text[at] == '\r') ++at;
      record.fits &= at == text.size() || text[at] == separator || text[at] == '\n';
    }
    while (at < text.size() && text[at] != separator && text[at] != '\n') {
      record.fits &= text[at] != '"';
      ++at;
    }
    const bool more = at < text.size() && text[at] == separator;
    at = std::min(at + 1, text.size());
    if (more) continue;
    record.end = at;
    return record;
  }
}

std::size_t blank_line_at(std::string_view text, std::size_t at) {
  if (text.substr(at, 1) == "\n") return 1;
  return text.substr(at, 2) == "\r\n" ? 2 : 0;
}

bool rows_fit(std::string_view text, const Record& header, char separator) {
  std::size_t at = header.end;
  for (std::size_t rows = 0; rows < kRowsLookedAt && at < text.size();) {
    if (const std::size_t blank = blank_line_at(text, at)) {
      at += blank;
      continue;
    }
    const Record row = record_at(text, at, separator);
    if (!row.fits || row.fields != header.fields) return false;
    at = row.end;
    ++rows;
  }
  return true;
}

std::string shown(char separator) {
  return separator == '\t' ? "a tab" : fmt::format("'{}'", separator);
}

// The separator of a line "sep=;", in quotes or not.
std::optional<char> stated_separator(std::string_view line, const std::string& place) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() > 1 && line.starts_with('"') && line.ends_with('"')) {
    line = line.substr(1, line.size() - 2);
  }
  if (lower_case(line.substr(0, 4)) != "sep=") return std::nullopt;
  const std::string_view stated = line.substr(4);
  if (stated.size() == 1 && kSeparators.find(stated[0]) != std::string_view::npos) {
    return stated[0];
  }
  throw bad_input(fmt::format("{}: '{}' is not a separator; expected ',', ';' or a tab", place,
                              excerpt(stated)));
}

char separator_of(std::string_view text, std::size_t header_at, const std::string& place) {
  struct Candidate {
    char separator;
    Record header;
  };
  std::vector<Candidate> candidates;
  for (const char separator : kSeparators) {
    const Record header = record_at(text, header_at, separator);
    if (header.fields > 1) candidates.push_back({separator, header});
  }
  if (candidates.empty()) return ',';
  if (candidates.size() == 1) return candidates[0].separator;
  const Candidate first = candidates[0];
  std::erase_if(candidates, [&](const Candidate& candidate) {
    return !candidate.header.fits || !rows_fit(text, candidate.header, candidate.separator);
  });
  // Where none fits, something is wrong with the rows, and reading them will say it.
  if (candidates.empty()) return first.separator;
  const auto fewer = [](const Candidate& a, const Candidate& b) {
    return a.header.fields < b.header.fields;
  };
  const auto best = std::max_element(candidates.begin(), candidates.end(), fewer);
  for (const Candidate& other : candidates) {
    if (other.separator == best->separator || fewer(other, *best)) continue;
    throw bad_input(
        fmt::format("{}: {} and {} both split the header into {} columns; expected one separator; "
                    "a line 'sep={}' "
                    "in front tells which",
                    place, shown(best->separator), shown(other.separator), other.header.fields,
                    best->separator));
  }
  return best->separator;
}

}  // namespace

CsvDialect csv_dialect(std::string_view text, const std::string& name) {
  CsvDialect dialect;
  if (text.starts_with("\xEF\xBB\xBF")) dialect.begin = 3;
  while (const std::size_t blank = blank_line_at(text, dialect.begin)) {
    dialect.begin += blank;
    ++dialect.line;
  }
  const std::string place = fmt::format("{}:{}", name, dialect.line);
  const std::size_t line_end = std::min(text.find('\n', dialect.begin), text.size());
  if (const auto stated =
          stated_separator(text.substr(dialect.begin, line_end - dialect.begin), place)) {
    return {*stated, std::min(line_end + 1, text.size()), dialect.line + 1};
  }
  dialect.separator = separator_of(text, dialect.begin, place);
  return dialect;
}

std::string_view separator_word(char separator) {
  if (separator == ',') return "a comma";
  return separator == ';' ? "a semicolon" : "a tab";
}

}  // namespace ifd
