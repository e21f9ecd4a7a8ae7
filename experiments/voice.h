// What the program says to people on stderr.
#pragma once

#include <string>

#include "command_line/terminal.h"
#include "experiments/run/runner.h"

namespace ifd::experiments {

// Rank 0 alone speaks.
class Voice {
 public:
  Voice(Terminal terminal, int rank);

  void say(const std::string& line) const;
  // Only to a terminal, over what it said last.
  void progress(const Progress& progress) const;

 private:
  Terminal terminal_;
};

// "95 min": about how long.
std::string rough_duration(double seconds);

}  // namespace ifd::experiments
