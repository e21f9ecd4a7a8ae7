// The files that a command line names, checked before any work: nothing is lost by a slip.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace ifd {

// Type names of options: a file that is read, and one that is written.
inline constexpr const char* kFileRead = "FILE";
inline constexpr const char* kFileWritten = "OUTPUT";
inline constexpr const char* kFolder = "DIR";  // and a folder, of either use

struct NamedFile {
  std::string option;
  std::filesystem::path path;
};

// The files that the command line names for the command, in the order of its options.
std::vector<NamedFile> files_read(const CLI::App& command);
std::vector<NamedFile> files_written(const CLI::App& command);

// "-" is refused: the file is read more than once, and standard input can be read once.
void refuse_standard_input(CLI::Option& option);

// The files of the command that was chosen. Error(kUsage) where one would be written over one that
// is read, two would be written to one path, standard input would be read twice, or standard output
// written twice, be it by --json or --csv and a file; Error(kStorage) where one cannot be written:
// its folder is not writable or not there, unless that is the --output folder, which the command
// makes; or it is a folder.
void check_file_options(const CLI::App& app);

}  // namespace ifd
