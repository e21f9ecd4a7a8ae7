#include "train/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <span>

#include "ifd/data/json_text.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "train/early_stopping.h"

namespace ifd::train {
namespace {

using nlohmann::ordered_json;

// The settings that may change between a checkpoint and what goes on from it.
constexpr std::string_view kLengths[] = {"epochs", "patience"};

// Reads back as the same double: the JSON library writes the shortest digits that do.
ordered_json summary_json(const TrainingSummary& summary) {
  ordered_json epochs = ordered_json::array();
  for (const EpochReport& epoch : summary.epochs) {
    epochs.push_back({epoch.loss, epoch.aursac, epoch.best});
  }
  return {{"start_aursac", summary.start_aursac},
          {"best_epoch", summary.best_epoch},
          {"best_aursac", summary.best_aursac},
          {"epochs", epochs}};
}

TrainingSummary summary_of(const JsonValue& json) {
  TrainingSummary summary;
  summary.start_aursac = json.at("start_aursac").number();
  summary.best_epoch = json.at("best_epoch").count();
  summary.best_aursac = json.at("best_aursac").number();
  for (const JsonValue& epoch : json.at("epochs").items()) {
    summary.epochs.push_back({summary.epochs.size() + 1, epoch.at(0).number(), epoch.at(1).number(),
                              epoch.at(2).boolean()});
  }
  return summary;
}

Error damaged(const std::string& place, const std::string& what) {
  return {ErrorKind::kCorruptFile, fmt::format("{}: {}", place, what)};
}

// What follows from the scores must be as the training would have found it.
void check_summary(const TrainingSummary& summary, const std::string& place) {
  const auto check_score = [&](double score) {
    if (score >= 0 && score <= 1) return;
    throw damaged(place, fmt::format("the checkpoint has AURSAC {}; expected 0..1", score));
  };
  EarlyStopping stopping(summary.epochs.size() + 1);
  check_score(summary.start_aursac);
  stopping.improves(summary.start_aursac);
  std::size_t best_epoch = 0;
  for (const EpochReport& epoch : summary.epochs) {
    check_score(epoch.aursac);
    const bool best = stopping.improves(epoch.aursac);
    if (best) best_epoch = epoch.epoch;
    if (best != epoch.best) {
      throw damaged(place,
                    fmt::format("epoch {} of the checkpoint is {} the best so far, which "
                                "its AURSAC of {} denies",
                                epoch.epoch, epoch.best ? "called" : "not called", epoch.aursac));
    }
  }
  if (summary.best_epoch != best_epoch || summary.best_aursac != stopping.best()) {
    throw damaged(
        place, fmt::format("the checkpoint's best is epoch {} with AURSAC {}; expected "
                           "epoch {} with {}, by its scores",
                           summary.best_epoch, summary.best_aursac, best_epoch, stopping.best()));
  }
}

void check_tensors(const std::vector<Tensor>& tensors, const std::string& place) {
  for (const Tensor& tensor : tensors) {
    const bool square = tensor.name.starts_with("moment2/");
    for (const float value : tensor.values) {
      if (std::isfinite(value) && !(square && value < 0)) continue;
      throw damaged(
          place, fmt::format("tensor '{}' of the checkpoint holds {}; expected {}",
                             excerpt(tensor.name), value, square ? "0 or more" : "finite numbers"));
    }
  }
}

using Texts = std::map<std::string, std::string>;

Texts texts_of(const JsonValue& object) {
  Texts made;
  for (const auto& [key, value] : object.members()) made.emplace(key, value.dump());
  return made;
}

std::string value(const Texts& all, const std::string& key) {
  const auto found = all.find(key);
  return found == all.end() ? std::string("none") : found->second;
}

// See settings_difference; what stands in `allowed` may differ.
std::string difference(const JsonValue& there, const JsonValue& here,
                       std::span<const std::string_view> allowed = {}) {
  const Texts a = texts_of(there), b = texts_of(here);
  for (const JsonValue* keys : {&there, &here}) {
    for (const auto& [key, ignored] : keys->members()) {
      if (value(a, key) == value(b, key)) continue;
      if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
      return fmt::format("its {} is {}; expected {}", excerpt(key), excerpt(value(a, key)),
                         excerpt(value(b, key)));
    }
  }
  return {};
}

}  // namespace

std::string metadata_text(const SafetensorsFile& file, const std::string& key) {
  const auto found = file.metadata().find(key);
  return found == file.metadata().end() ? std::string() : found->second;
}

std::string settings_difference(const std::string& there, const std::string& here,
                                const std::string& place) {
  return difference(JsonValue::parse(there, place), JsonValue::parse(here, "settings"));
}

PolicyFile checkpoint_file(const Checkpoint& checkpoint, const std::string& settings_json) {
  const ordered_json metadata = {{"settings", ordered_json::parse(settings_json)},
                                 {"training", summary_json(checkpoint.summary)},
                                 {"adam_steps", checkpoint.adam_steps}};
  return {std::string(kCheckpointMethod), json_text(metadata), checkpoint.tensors, "checkpoint"};
}

Checkpoint checkpoint_from(const PolicyFile& file, const std::string& settings_json) {
  if (file.method != kCheckpointMethod) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: holds method '{}'; expected a checkpoint of 'ifd train'",
                            file.source, file.method));
  }
  const JsonValue metadata = file.metadata();
  const std::string other =
      difference(metadata.at("settings"), JsonValue::parse(settings_json, "settings"), kLengths);
  if (!other.empty()) {
    throw Error(ErrorKind::kConflict,
                fmt::format("{}: the checkpoint of another training: {}", file.source, other));
  }
  Checkpoint checkpoint{summary_of(metadata.at("training")), file.tensors, {}};
  for (const JsonValue& steps : metadata.at("adam_steps").items()) {
    checkpoint.adam_steps.push_back(steps.integer());
  }
  check_summary(checkpoint.summary, file.source);
  check_tensors(checkpoint.tensors, file.source);
  return checkpoint;
}

std::string changed_length(const PolicyFile& file, const std::string& settings_json) {
  const JsonValue metadata = file.metadata();
  const Texts before = texts_of(metadata.at("settings"));
  const Texts now = texts_of(JsonValue::parse(settings_json, "settings"));
  std::string changes;
  for (const std::string_view length : kLengths) {
    const std::string key(length);
    if (value(before, key) == value(now, key)) continue;
    changes += fmt::format("{}{} {} instead of {}", changes.empty() ? "" : ", ", key,
                           value(now, key), excerpt(value(before, key)));
  }
  return changes;
}

void check_progress(const Checkpoint& checkpoint, const Schedule& schedule, std::size_t cases) {
  const std::size_t epochs = checkpoint.summary.epochs.size();
  if (epochs == 0 || epochs > schedule.epochs) {
    throw Error(
        epochs == 0 ? ErrorKind::kCorruptFile : ErrorKind::kConflict,
        fmt::format("the checkpoint has {} epochs; expected 1..{}", epochs, schedule.epochs));
  }
  const auto steps =
      static_cast<std::int64_t>(epochs * ((cases + schedule.batch - 1) / schedule.batch));
  for (const std::int64_t found : checkpoint.adam_steps) {
    if (found == steps || found == 0) continue;
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("the checkpoint has {} steps of Adam; expected {}, one per batch of "
                            "its {} epochs, or 0",
                            found, steps, epochs));
  }
}

}  // namespace ifd::train
