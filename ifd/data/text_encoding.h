// Text from outside as UTF-8, whatever a spreadsheet saved it as.
#pragma once

#include <string>

#include "ifd/data/read_options.h"

namespace ifd {

// UTF-8 as it is; UTF-16 with a byte order mark, and without one where every other byte of its
// beginning is zero; otherwise Windows-1252, of which Latin-1 is a part. What is not UTF-8 is said
// in a note. A byte order mark of UTF-16 is left out.
//
// `name` is the file in messages. Error(kBadInput) with the line for what is no text: NUL and,
// where it is not UTF-8, other control characters, bytes that no character of Windows-1252 has,
// halves of UTF-16 characters. Where most other characters of the file are UTF-8, a byte that is
// not is damage and no other encoding. Error(kCorruptFile) where a small compressed file would grow
// once more.
std::string utf8_text(std::string bytes, const std::string& name, const ReadOptions& options = {});

}  // namespace ifd
