// Files that end with a checksum, so that a fuzzer comes behind it.
#pragma once

#include <string>

namespace ifd::fuzz {

// The bytes with the CRC-32 of what is before them in the place of the last four, as rosters,
// watches and policy files have it.
void set_checksum(std::string& bytes);

}  // namespace ifd::fuzz
