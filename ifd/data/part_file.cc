#include "ifd/data/part_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

namespace ifd {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".part";

std::string name_begin(const fs::path& target) {
  return fmt::format(".{}.", target.filename().string());
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
bool is_ours(int descriptor, const fs::path& path) {
  struct stat held {
  }, named{};
  return ::fstat(descriptor, &held) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         held.st_dev == named.st_dev && held.st_ino == named.st_ino && S_ISREG(held.st_mode) &&
         held.st_uid == ::geteuid();
}

void remove_if_abandoned(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  if (lock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_ours(descriptor, path)) {
    ::unlink(path.c_str());
  }
  ::close(descriptor);
}

}  // namespace

fs::path part_path(const fs::path& target, pid_t process, unsigned serial) {
  fs::path path = target;
  path.replace_filename(fmt::format("{}{}.{}{}", name_begin(target), process, serial, kEnding));
  return path;
}

bool hold_part(int descriptor) noexcept {
  if (lock(descriptor, LOCK_EX) != 0)
    return true;  // no locks here: nobody can take it for abandoned
  struct stat held {};
  return ::fstat(descriptor, &held) != 0 || held.st_nlink > 0;
}

void remove_abandoned_parts(const fs::path& target) {
  const std::string begin = name_begin(target);
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (is_part_name(entry->path().filename().string(), begin)) remove_if_abandoned(entry->path());
  }
}

}  // namespace ifd
