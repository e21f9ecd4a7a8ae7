// Runs a command as it runs in front of a person: its output and its messages go to a terminal.
#pragma once

#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace ifd {

// Whether the system gives terminals to programs. A folder that was made into a root, without
// /dev/pts in it, gives none; tests that need one skip there, visibly.
inline bool has_pseudo_terminals() {
  int terminal = -1;
  int other_end = -1;
  if (::openpty(&terminal, &other_end, nullptr, nullptr, nullptr) != 0) return false;
  ::close(terminal);
  ::close(other_end);
  return true;
}
inline constexpr const char* kNoPseudoTerminals = "no pseudo-terminals here: is /dev/pts mounted?";

// Every byte that reached the terminal. Colour is off, and the terminal changes no byte.
inline std::string shown_on_terminal(const std::filesystem::path& folder,
                                     std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  termios raw{};
  cfmakeraw(&raw);
  int terminal = -1;
  const pid_t process = ::forkpty(&terminal, nullptr, &raw, nullptr);
  if (process < 0) throw std::runtime_error("forkpty");
  if (process == 0) {
    ::setenv("NO_COLOR", "1", 1);
    if (::chdir(folder.c_str()) == 0) ::execvp(arguments[0], arguments.data());
    ::_exit(127);
  }
  std::string shown;
  char bytes[4096];
  // Ends with EIO when the command is gone.
  for (ssize_t read; (read = ::read(terminal, bytes, sizeof bytes)) > 0;) {
    shown.append(bytes, static_cast<std::size_t>(read));
  }
  ::close(terminal);
  ::waitpid(process, nullptr, 0);
  return shown;
}

// What of it acts on a terminal instead of showing itself: the first control character but a line
// feed, C1 character, mark or override of the reading order, or separator; nothing where there is
// none. The sequence that begins a line of progress is ours.
inline std::string first_that_acts(std::string shown) {
  const std::string progress = "\r\x1b[K";
  for (std::size_t at; (at = shown.find(progress)) != std::string::npos;) {
    shown.erase(at, progress.size());
  }
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const auto byte = static_cast<unsigned char>(shown[i]);
    std::string rest = shown.substr(i, 24);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7F) return rest;
    if (byte == 0xC2 && static_cast<unsigned char>(rest[1]) < 0xA0) return rest;
  }
  for (const char* character :
       {"\u061c", "\u200b", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a", "\u202b", "\u202c",
        "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069", "\ufeff"}) {
    if (shown.find(character) != std::string::npos) return character;
  }
  return "";
}

}  // namespace ifd
