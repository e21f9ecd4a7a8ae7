// Which code made a result.
#pragma once

#include <string>

namespace ifd::experiments {

// A fingerprint of every source that can change a number, made by the build.
std::string code_version();

}  // namespace ifd::experiments
