// Text and numbers as they appear in reports.
#pragma once

#include <string>
#include <string_view>

namespace ifd {

// Safe as text and inside a quoted attribute, in HTML and in XML. What no XML document may hold
// (control characters, bytes that are not UTF-8) becomes U+FFFD, and so does what turns the reading
// order around.
std::string escape_html(std::string_view text);

// "0.812", "−0.050" (with a true minus sign), never "-0.000"; "–" for what is not finite.
// Independent of the locale. Numbers too long for a table are written like "1.5e+20".
std::string fixed(double value, int digits);

// fixed(100 * value) and a percent sign: "81.2%".
std::string percent(double value, int digits);

// The number that a cell begins with, "0.812 ± 0.010" giving 0.812; NaN if there is none.
// Reads what `fixed` and `percent` write; a percent sign does not scale the number.
double leading_number(std::string_view text);

}  // namespace ifd
