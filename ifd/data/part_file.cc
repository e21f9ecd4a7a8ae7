#include "ifd/data/part_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <string_view>

#include "ifd/fnv_hash.h"

namespace ifd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".part";

// Where memory is short, libstdc++ ends the program in directory_iterator and reads what it should
// not in replace_filename. So folders are read, and names put together, without them.
struct CloseFolder {
  void operator()(DIR* folder) const noexcept { ::closedir(folder); }
};

// Empty for the current one.
std::string folder_with_slash(const fs::path& target) {
  const std::string& path = target.native();
  return path.substr(0, path.rfind('/') + 1);
}

std::string name_begin(const fs::path& target) {
  // Room for the rest of the name, in the 255 bytes that a name may have.
  constexpr std::size_t kMost = 200;
  const std::string name = target.filename().string();
  if (name.size() <= kMost) return fmt::format(".{}.", name);
  FnvHash hash;
  hash.add(name);
  return fmt::format(".{}~{:016x}.", name.substr(0, kMost - 17), hash.value());
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether the name is BEGIN PROCESS "." SERIAL ".part".
bool is_part_name(std::string_view name, std::string_view begin) {
  if (!name.starts_with(begin) || !name.ends_with(kEnding)) return false;
  if (name.size() < begin.size() + kEnding.size()) return false;
  name = name.substr(begin.size(), name.size() - begin.size() - kEnding.size());
  const std::size_t dot = name.find('.');
  return dot != std::string_view::npos && is_number(name.substr(0, dot)) &&
         is_number(name.substr(dot + 1));
}

int lock(int descriptor, int operation) noexcept {
  int result = 0;
  do {
    result = ::flock(descriptor, operation);
  } while (result != 0 && errno == EINTR);
  return result;
}

// A regular file of the user's that the name still stands for: its writer may have given it its
// final name since we opened it.
bool is_ours(int descriptor, const std::string& path) {
  struct stat held {
  }, named{};
  return ::fstat(descriptor, &held) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino && S_ISREG(held.st_mode) &&
         held.st_uid == ::geteuid();
}

void remove_if_abandoned(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (lock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_ours(descriptor, path)) {
    ::unlink(path.c_str());
  }
  ::close(descriptor);
}

}  // namespace

std::string part_path(const fs::path& target, pid_t process, unsigned serial) {
  return fmt::format("{}{}{}.{}{}", folder_with_slash(target), name_begin(target), process, serial,
                     kEnding);
}

bool hold_part(int descriptor) noexcept {
  if (lock(descriptor, LOCK_EX) != 0)
    return true;  // no locks here: nobody can take it for abandoned
  struct stat held {};
  return ::fstat(descriptor, &held) != 0 || held.st_nlink > 0;
}

void remove_abandoned_parts(const fs::path& target) {
  const std::string begin = name_begin(target);
  const std::string folder = folder_with_slash(target);
  const std::unique_ptr<DIR, CloseFolder> opened(::opendir(folder.empty() ? "." : folder.c_str()));
  if (!opened) return;
  while (const dirent* entry = ::readdir(opened.get())) {
    if (is_part_name(entry->d_name, begin)) remove_if_abandoned(folder + entry->d_name);
  }
}

}  // namespace ifd
