#include "train/checkpoint.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ifd/error.h"

namespace ifd::train {
namespace {

using nlohmann::ordered_json;

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

TrainingSummary summary_of(const ordered_json& json) {
  TrainingSummary summary;
  summary.start_aursac = json.at("start_aursac").get<double>();
  summary.best_epoch = json.at("best_epoch").get<std::size_t>();
  summary.best_aursac = json.at("best_aursac").get<double>();
  for (const ordered_json& epoch : json.at("epochs")) {
    summary.epochs.push_back({summary.epochs.size() + 1, epoch.at(0).get<double>(),
                              epoch.at(1).get<double>(), epoch.at(2).get<bool>()});
  }
  return summary;
}

}  // namespace

std::string settings_difference(const std::string& there, const std::string& here) {
  const auto a = ordered_json::parse(there), b = ordered_json::parse(here);
  const auto value = [](const ordered_json& object, const std::string& key) {
    return object.contains(key) ? object.at(key).dump() : std::string("none");
  };
  for (const ordered_json* keys : {&a, &b}) {
    for (const auto& [key, ignored] : keys->items()) {
      if (value(a, key) == value(b, key)) continue;
      return fmt::format("its {} is {}; expected {}", key, value(a, key), value(b, key));
    }
  }
  return {};
}

PolicyFile checkpoint_file(const Checkpoint& checkpoint, const std::string& settings_json) {
  const ordered_json metadata = {{"settings", ordered_json::parse(settings_json)},
                                 {"training", summary_json(checkpoint.summary)},
                                 {"adam_steps", checkpoint.adam_steps}};
  return {std::string(kCheckpointMethod), metadata.dump(), checkpoint.tensors, "checkpoint"};
}

Checkpoint checkpoint_from(const PolicyFile& file, const std::string& settings_json) {
  if (file.method != kCheckpointMethod) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: holds method '{}'; expected a checkpoint of 'ifd train'",
                            file.source, file.method));
  }
  try {
    const auto metadata = ordered_json::parse(file.metadata_json);
    const std::string other = settings_difference(metadata.at("settings").dump(), settings_json);
    if (!other.empty()) {
      throw Error(ErrorKind::kConflict,
                  fmt::format("{}: the checkpoint of another training: {}", file.source, other));
    }
    return {summary_of(metadata.at("training")), file.tensors,
            metadata.at("adam_steps").get<std::vector<std::int64_t>>()};
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("{}: the metadata is not that of a checkpoint", file.source));
  }
}

}  // namespace ifd::train
