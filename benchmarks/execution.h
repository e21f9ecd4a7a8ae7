// What it costs to run a program.
#pragma once

#include <string>
#include <vector>

namespace ifd::benchmark {

struct Execution {
  double seconds;  // on the clock: that is what waiting feels like
  double processor_seconds;
  double peak_bytes;
};

// Runs a program to its end with its output thrown away. An exception where it cannot be started,
// or fails.
Execution execute(std::vector<std::string> arguments);

}  // namespace ifd::benchmark
