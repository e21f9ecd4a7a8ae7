#include "train/program/checkpoint_place.h"

#include <fmt/format.h>

#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

namespace ifd::train {

CheckpointPlace::CheckpointPlace(CheckpointOptions options, std::string settings)
    : options_(std::move(options)),
      path_(options_.output.string() + ".checkpoint"),
      settings_(std::move(settings)) {}

std::string CheckpointPlace::bytes() const {
  if (!std::filesystem::exists(path_)) {
    throw Error(ErrorKind::kNotFound,
                fmt::format("{}: no such checkpoint; begin without --resume (a training that has "
                            "ended leaves one with --keep-checkpoint)",
                            path_.string()));
  }
  return read_file(path_, options_.limits);
}

Checkpoint CheckpointPlace::parse(const std::string& bytes) const {
  return checkpoint_from(PolicyFile::from_bytes(bytes, path_.string()), settings_);
}

std::string CheckpointPlace::changed_length(const std::string& bytes) const {
  return train::changed_length(PolicyFile::from_bytes(bytes, path_.string()), settings_);
}

bool CheckpointPlace::due() const { return Clock::now() - last_ >= options_.period; }

void CheckpointPlace::keep(const Checkpoint& checkpoint) {
  checkpoint_file(checkpoint, settings_).write(path_);
  last_ = Clock::now();
}

void CheckpointPlace::end() const {
  if (options_.keep) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace ifd::train
