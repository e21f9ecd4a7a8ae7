// Where and when the program runs, for the report.
#pragma once

#include <string>

namespace ifd::experiments {

// "2 processors (AMD ...), 24 GiB of memory"
std::string hardware();
// "2026-11-16", in UTC.
std::string today();

}  // namespace ifd::experiments
