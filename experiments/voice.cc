#include "experiments/voice.h"

#include <fmt/format.h>

namespace ifd::experiments {

Voice::Voice(Terminal terminal, int rank) : terminal_{terminal.quiet || rank != 0} {}

void Voice::say(const std::string& line) const {
  terminal_.end_progress();
  terminal_.note(line);
}

void Voice::progress(const Progress& p) const {
  terminal_.progress(
      fmt::format("{} of {} jobs, {} left; {}", p.done, p.all,
                  p.seconds_left > 0 ? rough_duration(p.seconds_left) : "time unknown", p.job));
}

std::string rough_duration(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace ifd::experiments
