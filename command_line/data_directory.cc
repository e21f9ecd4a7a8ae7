#include "command_line/data_directory.h"

#include <cstdlib>
#include <optional>

namespace ifd {
namespace {

std::optional<std::filesystem::path> path_in(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return {};
  return value;
}

}  // namespace

std::filesystem::path data_directory() {
  if (const auto own = path_in("IFD_DATA")) return *own;
  if (const auto data = path_in("XDG_DATA_HOME")) return *data / "ifd";
  if (const auto home = path_in("HOME")) return *home / ".local/share/ifd";
  return "ifd-data";
}

}  // namespace ifd
