// Messages go through command_line/terminal.cc, where a stderr that is full or closed ends nothing:
// no other source of the programs writes to stderr.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>

namespace ifd {
namespace {

namespace fs = std::filesystem;

TEST(OneVoice, OnlyTheTerminalWritesToStderr) {
  const std::regex writes(
      R"re(\(\s*stderr\b|std::(cerr|clog)\b|\bperror\s*\(|write\(\s*STDERR_FILENO)re");
  std::size_t read = 0;
  for (const char* top : {"ifd", "fetch", "command_line", "cli", "train", "experiments"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(IFD_SOURCE_DIR) / top)) {
      const std::string name = entry.path().filename();
      const bool source = name.ends_with(".cc") || name.ends_with(".h");
      if (!source || name.ends_with("_test.cc") || name == "terminal.cc") continue;
      ++read;
      std::ifstream in(entry.path());
      std::size_t number = 0;
      for (std::string line; std::getline(in, line);) {
        ++number;
        EXPECT_FALSE(std::regex_search(line, writes))
            << entry.path() << ":" << number << ": " << line;
      }
    }
  }
  EXPECT_GT(read, 100U);
}

}  // namespace
}  // namespace ifd
