#include "command_line/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "ifd/data/file_bytes.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"

namespace ifd {

void Terminal::note(std::string_view line) const {
  if (!quiet) fmt::print(stderr, "{}\n", visible_text(line));
}

void Terminal::progress(std::string_view line) const {
  if (!quiet && isatty(STDERR_FILENO) == 1) fmt::print(stderr, "\r\x1b[K{}", visible_text(line));
}

void Terminal::end_progress() const { progress(""); }

void write_output(const std::filesystem::path& path, std::string_view bytes) {
  if (!path.empty() && path != "-") {
    write_file_atomically(path, bytes);
    return;
  }
  while (!bytes.empty()) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    // A reader that has seen enough (head) is no failure.
    if (written < 0 && errno == EPIPE) std::_Exit(0);
    if (written < 0) {
      throw Error(ErrorKind::kStorage, fmt::format("standard output: {}", std::strerror(errno)));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string bold(std::string_view text, int file_descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = (no_color != nullptr && *no_color != '\0') || isatty(file_descriptor) != 1;
  return plain ? std::string(text) : fmt::format("\x1b[1m{}\x1b[0m", text);
}

}  // namespace ifd
