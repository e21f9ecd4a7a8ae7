// A file that lives in memory, for readers that take a path.
#pragma once

#include <filesystem>
#include <string_view>

namespace ifd::fuzz {

// The path of a file that holds the bytes, until the next call.
std::filesystem::path memory_file(std::string_view bytes);

}  // namespace ifd::fuzz
