#include "command_line/help_text.h"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>

#include "command_line/text_width.h"

namespace ifd {
namespace {

// Lines that begin with a blank stay as they are.
std::string wrapped_paragraphs(const std::string& text, std::size_t columns) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    out += line.starts_with(' ') ? line : wrapped_at(line, columns);
    out += '\n';
  }
  return out;
}

class WrappedHelp : public CLI::Formatter {
 public:
  std::string make_description(const CLI::App* app) const override {
    return wrapped_paragraphs(CLI::Formatter::make_description(app), line());
  }
  std::string make_footer(const CLI::App* app) const override {
    return wrapped_paragraphs(CLI::Formatter::make_footer(app), line());
  }
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    if (const auto choices = choices_in(option, text)) text.erase(choices->first, choices->second);
    return text;
  }
  // The base class sets what follows a line end below the beginning of the description. Choices for
  // which the line of the name has no room end the description.
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string description = CLI::Formatter::make_option_desc(option);
    const std::string text = CLI::Formatter::make_option_opts(option);
    if (const auto choices = choices_in(option, text)) {
      const std::string words = text.substr(choices->first + 2, choices->second - 3);
      description += CLI::detail::find_and_replace("; one of " + words, ",", ", ");
    }
    return wrapped_at(description, beside_names());
  }
  std::string make_subcommand(const CLI::App* command) const override {
    std::ostringstream out;
    CLI::detail::format_help(out, command->get_display_name(true),
                             wrapped_at(command->get_description(), beside_names()),
                             get_column_width());
    return out.str();
  }

 private:
  // Place and length of ":{a,b,c}" where it would make the line too long.
  std::optional<std::pair<std::size_t, std::size_t>> choices_in(const CLI::Option* option,
                                                                const std::string& text) const {
    constexpr std::size_t kIndent = 2;
    if (kIndent + columns_of(make_option_name(option, false) + text) <= line()) return {};
    const std::size_t begin = text.find(":{");
    const std::size_t end = text.find('}', begin);
    if (begin == std::string::npos || end == std::string::npos) return {};
    return std::pair(begin, end + 1 - begin);
  }
  static std::size_t line() { return terminal_width(STDOUT_FILENO, kUsualWidth); }
  // A narrow terminal leaves a few words at least.
  std::size_t beside_names() const {
    constexpr std::size_t kLeast = 24;
    return std::max(line(), get_column_width() + kLeast) - get_column_width();
  }
};

}  // namespace

void wrap_help(CLI::App& app) { app.formatter(std::make_shared<WrappedHelp>()); }

}  // namespace ifd
