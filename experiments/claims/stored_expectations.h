// The expectations that come with the program: experiments/expectations/*.json.
#pragma once

#include <string_view>

#include "experiments/jobs/protocol.h"

namespace ifd::experiments {

// Of the quick or the whole study under this protocol; empty where none come with the program.
std::string_view stored_expectations(bool quick, Protocol protocol);

}  // namespace ifd::experiments
