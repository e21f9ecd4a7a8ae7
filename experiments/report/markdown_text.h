// Text as Markdown (GitHub's) shows it. What has no shape of its own is written as
// ifd/data/visible_text.h shows it.
#pragma once

#include <string>
#include <string_view>

namespace ifd::experiments {

// In a line or in a cell of a table: nothing in it is markup, and it stays in its cell. A line feed
// becomes a blank, as Markdown itself reads it.
std::string markdown_text(std::string_view text);

// The text as it is, set as code: between as many backticks as it takes.
std::string markdown_code(std::string_view text);
std::string markdown_code_block(std::string_view text);

// [text](target)
std::string markdown_link(std::string_view text, std::string_view target);

}  // namespace ifd::experiments
