#include "command_line/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "command_line/text_width.h"
#include "ifd/data/file_bytes.h"
#include "ifd/data/visible_text.h"
#include "ifd/error.h"

namespace ifd {
namespace {

// The one place that writes to stderr.
void say(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

// One line, whatever a file or its names hold.
std::string complaint(std::string_view message) {
  return fmt::format("{} {}\n", bold("ifd:", STDERR_FILENO), visible_text(message));
}

}  // namespace

void Terminal::note(std::string_view line) const {
  notes_.emplace_back(line);
  if (quiet) return;
  const std::string text = visible_text(line);
  const bool wraps = isatty(STDERR_FILENO) == 1 && !line.starts_with(' ');
  say((wraps ? wrapped_at(text, terminal_width(STDERR_FILENO, kUsualWidth)) : text) + "\n");
}

void Terminal::progress(std::string_view line) const {
  if (quiet || isatty(STDERR_FILENO) != 1) return;
  // One column stays free: with a character in the last one, some terminals begin the next line.
  const std::size_t room = terminal_width(STDERR_FILENO, kUsualWidth) - 1;
  say(fmt::format("\r\x1b[K{}", cut_to_width(visible_text(line), room)));
}

void Terminal::end_progress() const { progress(""); }

void complain(std::string_view message) noexcept {
  try {
    say(complaint(message));
  } catch (const std::bad_alloc&) {
    say("ifd: out of memory\n");
  }
}

void write_output(const std::filesystem::path& path, std::string_view bytes) {
  if (!path.empty() && path != "-") {
    write_file_atomically(path, bytes);
    return;
  }
  static std::atomic<bool> reader_left = false;
  while (!bytes.empty() && !reader_left) {
    const ssize_t written = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) {
      reader_left = true;
      return;
    }
    if (written < 0) {
      throw Error(ErrorKind::kStorage, fmt::format("standard output: {}", std::strerror(errno)));
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool is_terminal(const std::filesystem::path& path) {
  return (path.empty() || path == "-") && isatty(STDOUT_FILENO) == 1;
}

void write_csv(const std::filesystem::path& path, std::string_view csv) {
  if (is_terminal(path)) return write_output(path, visible_csv(csv));
  write_output(path, csv);
}

void occupy_standard_descriptors() noexcept {
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) != -1) continue;
    // The lowest free number, which is this one, for the direction that nobody uses.
    const int got = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (got >= 0 && got != number) close(got);
  }
}

std::string bold(std::string_view text, int file_descriptor) {
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = (no_color != nullptr && *no_color != '\0') || isatty(file_descriptor) != 1;
  return plain ? std::string(text) : fmt::format("\x1b[1m{}\x1b[0m", text);
}

}  // namespace ifd
