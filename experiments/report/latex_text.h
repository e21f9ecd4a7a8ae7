// Text as LaTeX sets it.
#pragma once

#include <string>
#include <string_view>

namespace ifd::experiments {

// In text mode and in a cell of a table: nothing in it is a command, and it stays in its cell.
// What has no shape of its own is written as ifd/data/visible_text.h shows it.
std::string latex_text(std::string_view text);

}  // namespace ifd::experiments
