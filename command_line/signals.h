// What signals mean to every program.
#pragma once

namespace ifd {

// SIGINT and SIGTERM take away what is half written, then end the program as the shell expects. A
// reader that has left (SIGPIPE) and a file that grows too large (SIGXFSZ) are no end of the
// program but errors of the write.
void set_signals();

// From here on the first SIGINT or SIGTERM only makes interrupted() true, so that the work can end
// with what it has; the second ends the program.
void heed_interrupts();
bool interrupted();

// The exit code of work that ended so, as shells say it: 128 + SIGINT.
inline constexpr int kInterrupted = 130;

}  // namespace ifd
