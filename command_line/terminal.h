// What a program says and where: data to stdout, everything else to stderr.
//
// Messages are never fatal: where stderr is closed, full or has no reader, they are lost and the
// work goes on. Data that cannot be written is an error.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ifd {

class Terminal {
 public:
  explicit Terminal(bool say_nothing = false) : quiet(say_nothing) {}

  bool quiet;

  // A line for people on stderr, as visible_text.h shows it; nothing under --quiet.
  void note(std::string_view line) const;
  // All notes so far, as they were given, also those that --quiet kept back.
  const std::vector<std::string>& notes() const { return notes_; }
  // Such a line that overwrites itself while work goes on; only where stderr is a terminal, and
  // never longer than its line.
  void progress(std::string_view line) const;
  void end_progress() const;

 private:
  mutable std::vector<std::string> notes_;
};

// One line of what went wrong, "ifd: where, what, what was allowed", on stderr; under --quiet too.
// Needs no memory where there is none.
void complain(std::string_view message) noexcept;

// Data: to stdout for an empty path or "-", otherwise to the file, written aside and renamed. A
// reader of stdout that has seen enough (head) is no failure: what follows is dropped without a
// word, and the work goes on, since there may be other outputs.
void write_output(const std::filesystem::path& path, std::string_view bytes);

// Whether data for this path goes to a terminal.
bool is_terminal(const std::filesystem::path& path);

// CSV likewise; a terminal gets its names as visible_csv shows them.
void write_csv(const std::filesystem::path& path, std::string_view csv);

// Takes the numbers 0, 1 and 2 where the program was started without them, or the next file that is
// opened would get one of them, and messages would go into it. Reading and writing there still
// fails, so that data lost is an error as before.
void occupy_standard_descriptors() noexcept;

// Bold on a terminal that wants it (NO_COLOR is honoured), plain otherwise.
std::string bold(std::string_view text, int file_descriptor);

}  // namespace ifd
