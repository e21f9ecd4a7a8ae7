// A command as people read and type it. Programs keep commands as lists of words; only what is
// shown becomes one text, and nothing takes that text apart again.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace ifd {

// The text as one word of a shell, in quotes where it needs them.
std::string shell_word(std::string_view text);

// The words of a command with blanks between them, each in quotes where it needs them: a shell
// reads the same words.
std::string shell_command(std::span<const std::string> words);

// The same, continued on further lines (behind a backslash, further to the right) before an option
// where a line would get longer than `line_width`. Options stay beside their values.
std::string shell_command_lines(std::span<const std::string> words, std::size_t line_width);

}  // namespace ifd
