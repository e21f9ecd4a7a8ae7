#include "ifd/data/held_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace ifd {
namespace {

// Through every symbolic link, as the file is written.
std::filesystem::path folder_of(const std::filesystem::path& file) {
  std::error_code unknown;
  const std::filesystem::path behind = std::filesystem::weakly_canonical(file, unknown);
  const std::filesystem::path folder = (unknown ? file : behind).parent_path();
  return folder.empty() ? std::filesystem::path(".") : folder;
}

int flock_to_the_end(int descriptor, int operation) {
  int result = 0;
  do {
    result = ::flock(descriptor, operation);
  } while (result != 0 && errno == EINTR);
  return result;
}

}  // namespace

HeldFolder::HeldFolder(const std::filesystem::path& file,
                       const std::function<void()>& before_waiting) {
  descriptor_ = ::open(folder_of(file).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor_ < 0 || flock_to_the_end(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  if (errno != EWOULDBLOCK) return;
  if (before_waiting) before_waiting();
  flock_to_the_end(descriptor_, LOCK_EX);
}

HeldFolder::~HeldFolder() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace ifd
