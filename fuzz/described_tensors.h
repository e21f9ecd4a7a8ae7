// Safetensors files told in text.
#pragma once

#include <string>
#include <string_view>

namespace ifd::fuzz {

// The header as JSON up to an empty line, and the data behind it: its length is put in front.
std::string described_tensors(std::string_view text);

}  // namespace ifd::fuzz
