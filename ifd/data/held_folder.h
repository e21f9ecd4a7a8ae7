// One at a time for those who read a file, change it and write it anew.
#pragma once

#include <filesystem>
#include <functional>

namespace ifd {

// While it lives, no other HeldFolder for a file of the same folder does, in any process: a file
// that is replaced by its successor (AtomicFile) cannot be locked itself, and its folder can
// without leaving anything there. Where the folder cannot be opened or its file system knows no
// locks, nothing is held.
class HeldFolder {
 public:
  // Waits until the folder is free; `before_waiting` is called where that is not so at once.
  explicit HeldFolder(const std::filesystem::path& file,
                      const std::function<void()>& before_waiting = {});
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

 private:
  int descriptor_ = -1;
};

}  // namespace ifd
