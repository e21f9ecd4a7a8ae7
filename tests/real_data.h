// Where the real data of the tests is, if it is on this machine: IFD_DATA, or ../shared/data beside
// the sources. Licences keep it out of the repository.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string_view>

namespace ifd {

inline std::optional<std::filesystem::path> real_data(std::string_view name) {
  const char* const set = std::getenv("IFD_DATA");
  const std::filesystem::path folder =
      set != nullptr ? std::filesystem::path(set)
                     : std::filesystem::path(IFD_SOURCE_DIR) / ".." / "shared" / "data";
  const std::filesystem::path path = folder / name;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  return path;
}

}  // namespace ifd
