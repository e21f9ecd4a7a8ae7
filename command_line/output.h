// Data that is written as it comes, where it is too much to be held at once.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "ifd/data/file_bytes.h"

namespace ifd {

// To stdout for an empty path or "-", otherwise to the file, which is written aside and appears
// with commit(). On stdout a piece arrives when enough has come together, the rest with commit().
class Output {
 public:
  explicit Output(const std::filesystem::path& path);
  void write(std::string_view bytes);
  void commit();

 private:
  std::unique_ptr<AtomicFile> file_;  // null: stdout
  std::string pending_;
};

}  // namespace ifd
