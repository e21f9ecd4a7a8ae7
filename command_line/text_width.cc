#include "command_line/text_width.h"

#include <locale.h>
#include <sys/ioctl.h>
#include <wchar.h>

#include <algorithm>

#include "ifd/data/utf8.h"

namespace ifd {
namespace {

// Sets the C library's table of characters for a while, for this thread alone.
class Utf8Table {
 public:
  Utf8Table() : before_(table() == nullptr ? nullptr : uselocale(table())) {}
  ~Utf8Table() {
    if (before_ != nullptr) uselocale(before_);
  }
  Utf8Table(const Utf8Table&) = delete;
  Utf8Table& operator=(const Utf8Table&) = delete;

  std::size_t columns(char32_t character) const {
    const int wide = table() == nullptr ? 1 : wcwidth(static_cast<wchar_t>(character));
    return wide < 0 ? 1 : static_cast<std::size_t>(wide);
  }

 private:
  static locale_t table() {
    static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return utf8;
  }

  locale_t before_;
};

std::string wrapped_line(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    const std::size_t wide = columns_of(word);
    if (used > 0 && used + 1 + wide > columns) {
      out += '\n';
      used = 0;
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += wide;
  }
  return out;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  const Utf8Table table;
  std::size_t columns = 0;
  while (!text.empty()) {
    const Utf8Character first = first_character(text);
    columns += first.bytes == 0 ? 1 : table.columns(first.code_point);
    text.remove_prefix(std::max<std::size_t>(first.bytes, 1));
  }
  return columns;
}

std::size_t terminal_width(int file_descriptor, std::size_t otherwise) {
  winsize size{};
  if (ioctl(file_descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return otherwise;
  return std::max<std::size_t>(size.ws_col, 2);
}

std::string cut_to_width(std::string_view text, std::size_t columns) {
  if (columns_of(text) <= columns) return std::string(text);
  const Utf8Table table;
  std::size_t used = 0, end = 0;
  while (end < text.size()) {
    const Utf8Character next = first_character(text.substr(end));
    const std::size_t wide = next.bytes == 0 ? 1 : table.columns(next.code_point);
    if (used + wide + 1 > columns) break;
    used += wide;
    end += std::max<std::size_t>(next.bytes, 1);
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string cut_in_middle(std::string_view text, std::size_t columns) {
  std::size_t left = columns_of(text);
  if (left <= columns) return std::string(text);
  const std::string head = cut_to_width(text, columns / 2 + (columns < 2 ? 1 : 0));
  const std::size_t room = columns - std::min(columns, columns_of(head));
  const Utf8Table table;
  while (left > room) {
    const Utf8Character first = first_character(text);
    left -= first.bytes == 0 ? 1 : table.columns(first.code_point);
    text.remove_prefix(std::max<std::size_t>(first.bytes, 1));
  }
  return head + std::string(text);
}

std::string wrapped_at(std::string_view text, std::size_t columns) {
  std::string out;
  for (;;) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += wrapped_line(text.substr(0, end), columns);
    if (end == text.size()) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace ifd
