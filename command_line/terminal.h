// What a program says and where: data to stdout, everything else to stderr.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ifd {

class Terminal {
 public:
  bool quiet = false;

  // A line for people on stderr, as visible_text.h shows it; nothing under --quiet.
  void note(std::string_view line) const;
  // Such a line that overwrites itself while work goes on; only where stderr is a terminal.
  void progress(std::string_view line) const;
  void end_progress() const;
};

// Data: to stdout for an empty path or "-", otherwise to the file, written aside and renamed.
void write_output(const std::filesystem::path& path, std::string_view bytes);

// Bold on a terminal that wants it (NO_COLOR is honoured), plain otherwise.
std::string bold(std::string_view text, int file_descriptor);

}  // namespace ifd
