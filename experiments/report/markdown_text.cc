#include "experiments/report/markdown_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "ifd/data/visible_text.h"

namespace ifd::experiments {
namespace {

std::string in_one_line(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return visible_text(line);
}

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0, run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_<>[]|~&$";
  std::string out;
  for (const char c : in_one_line(text)) {
    if (kMarkup.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  const std::string line = in_one_line(text);
  const std::string fence(longest_run_of_backticks(line) + 1, '`');
  // A backtick at an edge needs a blank beside it, which is not shown.
  const bool edge = line.starts_with('`') || line.ends_with('`');
  return fmt::format("{0}{1}{2}{1}{0}", fence, edge ? " " : "", line);
}

std::string markdown_code_block(std::string_view text) {
  const std::string fence(std::max<std::size_t>(longest_run_of_backticks(text) + 1, 3), '`');
  std::string out = fence + "\n";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += visible_text(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + fence;
}

std::string markdown_link(std::string_view text, std::string_view target) {
  std::string address;
  for (const char c : visible_text(target)) {
    if (std::string_view("()<>\\ ").find(c) != std::string_view::npos) {
      address += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      address += c;
    }
  }
  return fmt::format("[{}]({})", markdown_text(text), address);
}

}  // namespace ifd::experiments
