#include "command_line/shell_command.h"

namespace ifd {

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'') {
      word += "'\\''";
    } else {
      word += c;
    }
  }
  return word + "'";
}

std::string shell_command(std::span<const std::string> words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    line += shell_word(word);
  }
  return line;
}

std::string shell_command_lines(std::span<const std::string> words, std::size_t line_width) {
  constexpr std::string_view kGoesOn = " \\\n    ";
  std::string text;
  std::size_t line_start = 0;
  for (std::size_t i = 0; i < words.size();) {
    std::size_t end = i + 1;
    while (end < words.size() && !words[end].starts_with('-')) ++end;
    const std::string part = shell_command(words.subspan(i, end - i));
    if (i > 0) {
      // Two more for the backslash that may have to follow.
      if (text.size() - line_start + 1 + part.size() + 2 > line_width) {
        text += kGoesOn;
        line_start = text.size() - (kGoesOn.size() - kGoesOn.find('\n') - 1);
      } else {
        text += ' ';
      }
    }
    text += part;
    i = end;
  }
  return text;
}

}  // namespace ifd
