// Text from outside: is it UTF-8, and how to show a piece of it in a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifd {

// The position of the first byte that is not part of valid UTF-8 (overlong forms, surrogates and
// values beyond U+10FFFF are not), or bytes.size().
std::size_t first_invalid_utf8(std::string_view bytes);

struct Utf8Character {
  char32_t code_point = 0;
  std::size_t bytes = 0;  // how many it takes; 0 where the text does not begin with valid UTF-8
};

// The character that a text begins with, which is not empty.
Utf8Character first_character(std::string_view text);

// Appends one code point; false, and nothing appended, where it is not a Unicode scalar value.
bool append_utf8(std::string& text, char32_t code_point);

// The text on one line as visible_text.h shows it, and not too long: what is cut off is "...".
std::string excerpt(std::string_view text);

}  // namespace ifd
