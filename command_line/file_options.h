// The files that a command line names, checked before any work: nothing is lost by a slip.
#pragma once

#include <CLI/CLI.hpp>

namespace ifd {

// Type names of options: a file that is read, and one that is written.
inline constexpr const char* kFileRead = "FILE";
inline constexpr const char* kFileWritten = "OUTPUT";
inline constexpr const char* kFolder = "DIR";  // and a folder, of either use

// The files of the command that was chosen. Error(kUsage) where one would be written over one that
// is read, two would be written to one path, or standard input would be read twice; Error(kStorage)
// where one cannot be written: its folder is not there or not writable, or it is a folder.
void check_file_options(const CLI::App& app);

}  // namespace ifd
