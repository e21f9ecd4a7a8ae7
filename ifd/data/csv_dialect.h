// Which character separates the fields of a table, and where the table begins.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifd {

struct CsvDialect {
  char separator = ',';   // or ';' or a tab
  std::size_t begin = 0;  // position of the header
  std::size_t line = 1;   // its line
};

// A first line "sep=;", as Excel writes it, says it. Otherwise it is the one that splits the
// header, and the first rows into as many fields; of several that do, the one that makes most
// columns. A header of one column has commas. Error(kBadInput) where two do equally well, with the
// remedy.
CsvDialect csv_dialect(std::string_view text, const std::string& name);

// "a comma", "';'" or "a tab": for messages.
std::string_view separator_word(char separator);

}  // namespace ifd
