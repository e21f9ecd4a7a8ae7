#include "train/program/checkpoint_place.h"

#include "ifd/data/file_bytes.h"

namespace ifd::train {

CheckpointPlace::CheckpointPlace(const std::filesystem::path& output,
                                 std::chrono::duration<double> period, std::string settings)
    : path_(output.string() + ".checkpoint"), period_(period), settings_(std::move(settings)) {}

std::string CheckpointPlace::bytes() const { return read_file(path_); }

Checkpoint CheckpointPlace::parse(const std::string& bytes) const {
  return checkpoint_from(PolicyFile::from_bytes(bytes, path_.string()), settings_);
}

bool CheckpointPlace::due() const { return Clock::now() - last_ >= period_; }

void CheckpointPlace::keep(const Checkpoint& checkpoint) {
  checkpoint_file(checkpoint, settings_).write(path_);
  last_ = Clock::now();
}

void CheckpointPlace::remove() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace ifd::train
