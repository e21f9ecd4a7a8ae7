// The style sheet and the script that every HTML report carries inside it.
#pragma once

#include <string_view>

namespace ifd {

// Page layout; needs theme_css.
std::string_view page_css();
// Values under the pointer or arrow keys, sorting of tables, the light/dark button. The page is
// complete without it: every value it shows is also in a table.
std::string_view page_script();

}  // namespace ifd
