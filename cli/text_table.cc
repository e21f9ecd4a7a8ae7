#include "cli/text_table.h"

#include <locale.h>
#include <sys/ioctl.h>
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
  return cell.find_first_not_of("0123456789.,+-e%[]()– ") == std::string_view::npos;
}

}  // namespace

void TextTable::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) cell = visible_text(cell);
  rows_.push_back(std::move(cells));
}

std::size_t text_width() {
  constexpr std::size_t kWithoutTerminal = 100;
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kWithoutTerminal;
  return size.ws_col;
}

std::string wrapped(std::string_view words, std::size_t line_width) {
  const std::string visible = visible_text(words);
  std::string_view text = visible;
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (used > 0 && used + 1 + width(word) > line_width) {
      out += '\n';
      used = 0;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width(word);
  }
  return out;
}

std::string TextTable::text_of(const std::vector<std::size_t>& columns,
                               const std::vector<Layout>& layout) const {
  std::string out;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (const std::size_t c : columns) {
      const std::string padding(layout[c].width - width(rows_[r][c]), ' ');
      if (c != columns.front()) line += "  ";
      line += layout[c].numeric ? padding + rows_[r][c] : rows_[r][c] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (r == 0 ? bold(line, STDOUT_FILENO) : line) + "\n";
  }
  return out;
}

std::string TextTable::text(std::size_t line_width) const {
  std::vector<Layout> layout(rows_.front().size(), {0, rows_.size() > 1});
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    for (std::size_t c = 0; c < layout.size(); ++c) {
      layout[c].width = std::max(layout[c].width, width(rows_[r][c]));
      if (r > 0 && !is_numeric(rows_[r][c])) layout[c].numeric = false;
    }
  }
  std::string out;
  std::vector<std::size_t> columns = {0};
  std::size_t used = layout[0].width;
  for (std::size_t c = 1; c < layout.size(); ++c) {
    if (columns.size() > 1 && used + 2 + layout[c].width > line_width) {
      out += text_of(columns, layout) + "\n";
      columns = {0};
      used = layout[0].width;
    }
    columns.push_back(c);
    used += 2 + layout[c].width;
  }
  return out + text_of(columns, layout);
}

}  // namespace ifd::cli
