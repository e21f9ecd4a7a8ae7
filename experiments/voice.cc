#include "experiments/voice.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace ifd::experiments {

Voice::Voice(Manner manner, int rank)
    : silent_(manner == Manner::kQuiet || rank != 0), terminal_(::isatty(2) == 1) {}

void Voice::say(const std::string& line) const {
  if (!silent_) fmt::print(stderr, "{}{}\n", terminal_ ? "\r\x1b[K" : "", line);
}

void Voice::progress(const Progress& p) const {
  if (silent_ || !terminal_) return;
  fmt::print(stderr, "\r\x1b[K{} of {} jobs, {} left; {}", p.done, p.all,
             p.seconds_left > 0 ? rough_duration(p.seconds_left) : "time unknown", p.job);
  std::fflush(stderr);
}

std::string rough_duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace ifd::experiments
