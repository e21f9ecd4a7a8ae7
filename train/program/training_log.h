// The log of a training, one JSON object per line: in a file, on stdout, or both.
#pragma once

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>

#include "ifd/data/file_bytes.h"

namespace ifd::train {

class TrainingLog {
 public:
  enum class Stdout { kSilent, kEveryLine };
  // An empty path: no file.
  TrainingLog(const std::filesystem::path& file, Stdout standard_output);

  // With its schema, on stdout at once. A reader who has seen enough ends the lines there, not the
  // training.
  void write(nlohmann::ordered_json line);
  // The file was written aside and appears now.
  void commit();

 private:
  std::unique_ptr<AtomicFile> file_;
  Stdout standard_output_;
};

}  // namespace ifd::train
