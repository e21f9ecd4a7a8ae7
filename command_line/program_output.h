// What another program prints.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ifd {

// All that `program` prints on stdout when it is run with one argument; its stderr is not shown.
// Nothing where it cannot be run, fails, or prints more than a megabyte.
std::optional<std::string> program_output(const std::filesystem::path& program,
                                          const std::string& argument);

}  // namespace ifd
