// NPZ archives told in text, so that a fuzzer changes what is in the arrays instead of breaking the
// archive around them, and so that seeds can be read.
#pragma once

#include <string>
#include <string_view>

namespace ifd::fuzz {

// One line for each array: its name, behind a - to be deflated, NumPy's type, a T for Fortran's
// order or an F (T2 and F2 in version 2 of the header, and so on), the shape without blanks, and
// values, of which those that are not there are zero. A character of a text may be told as U+1F600.
//
//     probabilities <f4 F (2,2) 0.75 0.25 0.5 0.5
//     classes <U3 F (2,) cat dog
//
// Type and shape go into the array's header as they are, right or wrong. Entries have a right
// checksum. Bytes that begin like an archive are left as they are.
std::string described_archive(std::string_view text);

}  // namespace ifd::fuzz
