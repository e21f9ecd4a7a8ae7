#include "cli/text_table.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "command_line/terminal.h"

namespace ifd::cli {
namespace {

// Characters, not bytes: continuation bytes of UTF-8 take no room.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool is_numeric(std::string_view cell) {
  return cell.find_first_not_of("0123456789.,+-e%[]– ") == std::string_view::npos;
}

}  // namespace

std::string TextTable::text() const {
  const std::size_t columns = rows_.front().size();
  std::vector<std::size_t> widths(columns, 0);
  std::vector<bool> numeric(columns, rows_.size() > 1);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      widths[c] = std::max(widths[c], width(rows_[r][c]));
      if (r > 0 && !is_numeric(rows_[r][c])) numeric[c] = false;
    }
  }
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string padding(widths[c] - width(rows_[r][c]), ' ');
      if (c > 0) line += "  ";
      line += numeric[c] ? padding + rows_[r][c] : rows_[r][c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (r == 0 ? bold(line, STDOUT_FILENO) : line) + "\n";
  }
  return out;
}

}  // namespace ifd::cli
