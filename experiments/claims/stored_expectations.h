// The expectations that come with the program: experiments/expectations/*.json.
#pragma once

#include <string_view>

namespace ifd::experiments {

std::string_view quick_expectations();
std::string_view full_expectations();

}  // namespace ifd::experiments
