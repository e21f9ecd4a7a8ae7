// What the program says to people on stderr.
#pragma once

#include <string>

#include "experiments/run/runner.h"

namespace ifd::experiments {

// Rank 0 alone speaks.
class Voice {
 public:
  enum class Manner { kNormal, kQuiet };
  Voice(Manner manner, int rank);

  void say(const std::string& line) const;
  // Only to a terminal, over what it said last.
  void progress(const Progress& progress) const;

 private:
  bool silent_;
  bool terminal_;
};

// "95 min": about how long.
std::string rough_duration(double seconds);

}  // namespace ifd::experiments
