#include "cli/text_table.h"

#include <locale.h>
#include <unistd.h>
#include <wchar.h>

#include <algorithm>
#include <string_view>

#include "command_line/terminal.h"
#include "ifd/data/utf8.h"
#include "ifd/data/visible_text.h"

namespace ifd::cli {
namespace {

// The columns of a terminal that the text takes: an ideograph takes two, an accent that joins the
// letter before it none. By the C library's table for UTF-8, whatever the locale of the process.
std::size_t width(std::string_view text) {
  static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  const locale_t before = utf8 == nullptr ? nullptr : uselocale(utf8);
  std::size_t columns = 0;
  while (!text.empty()) {
    const Utf8Character first = first_character(text);
    const int wide = utf8 == nullptr ? 1 : wcwidth(static_cast<wchar_t>(first.code_point));
    columns += wide < 0 ? 1 : static_cast<std::size_t>(wide);
    text.remove_prefix(first.bytes);
  }
  if (before != nullptr) uselocale(before);
  return columns;
}

bool is_numeric(std::string_view cell) {
  return cell.find_first_not_of("0123456789.,+-e%[]– ") == std::string_view::npos;
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = visible_text(cell);
  rows_.push_back(std::move(cells));
}

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
