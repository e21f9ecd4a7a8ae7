// Text from outside: is it UTF-8, and how to show a piece of it in a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifd {

// The position of the first byte that is not part of valid UTF-8 (overlong forms, surrogates and
// values beyond U+10FFFF are not), or bytes.size().
std::size_t first_invalid_utf8(std::string_view bytes);

// Appends one code point; false, and nothing appended, where it is not a Unicode scalar value.
bool append_utf8(std::string& text, char32_t code_point);

// The text on one line and not too long: control characters become '?', and what is cut off "...".
std::string excerpt(std::string_view text);

}  // namespace ifd
