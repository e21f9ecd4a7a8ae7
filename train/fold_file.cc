#include "train/fold_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "ifd/error.h"
#include "train/checkpoint.h"

namespace ifd::train {
namespace {

constexpr std::string_view kFoldFormat = "ifd-out-of-fold";

}  // namespace

SafetensorsWriter fold_file(const std::string& settings_json, std::size_t cases,
                            std::span<const float> probabilities) {
  SafetensorsWriter writer;
  writer.set_metadata("format", kFoldFormat);
  writer.set_metadata("settings", settings_json);
  writer.add("probabilities", {cases, probabilities.size() / cases}, probabilities);
  writer.add_checksum();
  return writer;
}

std::vector<float> fold_probabilities(const SafetensorsFile& file, const std::string& settings_json,
                                      std::size_t cases, std::size_t classes) {
  if (metadata_text(file, "format") != kFoldFormat) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: not the predictions of a fold", file.name()));
  }
  file.require_checksum();
  if (const std::string other = settings_difference(metadata_text(file, "settings"), settings_json,
                                                    file.name() + ": 'settings'");
      !other.empty()) {
    throw Error(ErrorKind::kConflict,
                fmt::format("{}: a fold of another training: {}", file.name(), other));
  }
  const std::vector<std::size_t> expected = {cases, classes};
  if (const auto shape = file.at("probabilities").shape; shape != expected) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: probabilities of {}; expected {}", file.name(),
                            fmt::join(shape, " x "), fmt::join(expected, " x ")));
  }
  return file.floats("probabilities");
}

}  // namespace ifd::train
