#include "fuzz/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace ifd::fuzz {

std::filesystem::path memory_file(std::string_view bytes) {
  static const int file = ::memfd_create("fuzz", MFD_CLOEXEC);
  const auto size = static_cast<ssize_t>(bytes.size());
  if (::ftruncate(file, size) != 0 || ::pwrite(file, bytes.data(), bytes.size(), 0) != size) {
    std::abort();
  }
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace ifd::fuzz
