// The expectations that come with the program: experiments/expectations/*.json.
#pragma once

#include <string_view>

namespace ifd::experiments {

// The whole study unless it says quick; under the population's protocol unless it says the paper's.
enum class StoredStudy { kQuick, kFull, kPaper };

// Empty where there are none.
std::string_view stored_expectations(StoredStudy study);

}  // namespace ifd::experiments
