#include "train/classifier_progress.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "ifd/data/json_text.h"
#include "ifd/error.h"
#include "train/checkpoint.h"

namespace ifd::train {
namespace {

using nlohmann::json;

constexpr std::string_view kCheckpointFormat = "ifd-classifier-checkpoint";

// What follows from the scores must be as the training would have found it.
ClassifierProgress progress_from(const JsonValue& epochs, const std::string& place) {
  ClassifierProgress progress;
  for (const JsonValue& e : epochs.items()) {
    const ClassifierEpoch& made =
        progress.add(e.at(0).number(), e.at(1).number(), e.at(2).number());
    const bool best = e.at(3).boolean();
    const bool possible = made.accuracy >= 0 && made.accuracy <= 1 && made.log_loss >= 0;
    if (possible && best == made.best) continue;
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: epoch {} has accuracy {}, log-loss {} and is {}the best so far; "
                            "expected what a training gives",
                            place, made.epoch, made.accuracy, made.log_loss, best ? "" : "not "));
  }
  return progress;
}

void check_numbers(const SafetensorsFile& file, const std::string& name) {
  if (file.at(name).type == SafetensorsType::kI64) return;
  const bool square = name.starts_with("moment2.");
  for (const float value : file.floats(name)) {
    if (std::isfinite(value) && !(square && value < 0)) continue;
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: '{}' holds {}; expected {}", file.name(), name, value,
                            square ? "0 or more" : "finite numbers"));
  }
}

// That the checkpoint is of this training.
void check_settings(const std::string& found, const std::string& expected, std::size_t epochs,
                    const std::string& place) {
  const std::string settings_place = place + ": 'settings'";
  const JsonValue settings = JsonValue::parse(found, settings_place);
  if (const std::size_t there = settings.at("epochs").count(); there != epochs) {
    throw Error(ErrorKind::kConflict,
                fmt::format("{}: the checkpoint of a training of {} epochs; expected {}: the "
                            "learning rate falls over all of them, so that it cannot go on as a "
                            "longer or shorter one (a new one can start from a classifier with "
                            "--weights)",
                            place, there, epochs));
  }
  const std::string other = settings_difference(found, expected, settings_place);
  if (other.empty()) return;
  throw Error(ErrorKind::kConflict,
              fmt::format("{}: the checkpoint of another training: {}", place, other));
}

}  // namespace

const ClassifierEpoch& ClassifierProgress::add(double loss, double accuracy, double log_loss) {
  const ClassifierEpoch before = best();
  const bool is_best = best_ == 0 || accuracy > before.accuracy ||
                       (accuracy == before.accuracy && log_loss < before.log_loss);
  epochs_.push_back({epochs_.size() + 1, loss, accuracy, log_loss, is_best});
  if (is_best) best_ = epochs_.size();
  return epochs_.back();
}

void add_progress(SafetensorsWriter& checkpoint, const ClassifierProgress& progress,
                  const std::string& settings_json) {
  checkpoint.set_metadata("format", kCheckpointFormat);
  checkpoint.set_metadata("settings", settings_json);
  json epochs = json::array();
  for (const ClassifierEpoch& e : progress.epochs()) {
    epochs.push_back({e.loss, e.accuracy, e.log_loss, e.best});
  }
  checkpoint.set_metadata("epochs", json_text(epochs));
}

ClassifierProgress classifier_progress(const SafetensorsFile& checkpoint,
                                       const std::string& settings_json, std::size_t epochs) {
  const std::string& place = checkpoint.name();
  if (metadata_text(checkpoint, "format") != kCheckpointFormat) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: not the checkpoint of a classifier", place));
  }
  checkpoint.require_checksum();
  check_settings(metadata_text(checkpoint, "settings"), settings_json, epochs, place);
  ClassifierProgress progress = progress_from(
      JsonValue::parse(metadata_text(checkpoint, "epochs"), place + ": 'epochs'"), place);
  if (progress.epochs().empty() || progress.epochs().size() >= epochs) {
    throw Error(ErrorKind::kCorruptFile, fmt::format("{}: {} epochs; expected 1..{}", place,
                                                     progress.epochs().size(), epochs - 1));
  }
  for (const std::string& name : checkpoint.names()) check_numbers(checkpoint, name);
  return progress;
}

}  // namespace ifd::train
