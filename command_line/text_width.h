// How much room a line of text takes, and how much there is.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ifd {

// The columns of a line where nothing is known of the terminal.
inline constexpr std::size_t kUsualWidth = 80;

// The columns of a terminal that the text takes: an ideograph takes two, an accent that joins the
// letter before it none. By the C library's table for UTF-8, whatever the locale of the process.
std::size_t columns_of(std::string_view text);

// The columns of the terminal that the descriptor is, at least two; `otherwise` where it is not a
// terminal.
std::size_t terminal_width(int file_descriptor, std::size_t otherwise);

// The text, or its beginning with "…" where it takes more columns; at least one column.
std::string cut_to_width(std::string_view text, std::size_t columns);

// The text, or its beginning and its end with "…" between them; at least one column.
std::string cut_in_middle(std::string_view text, std::size_t columns);

// In lines of at most so many columns, broken at blanks; a longer word stands alone. Line ends in
// the text stay.
std::string wrapped_at(std::string_view text, std::size_t columns);

}  // namespace ifd
