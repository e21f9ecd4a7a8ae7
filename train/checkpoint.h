// A training between two epochs, on disk: enough to go on as if it had never stopped.
//
// The file is a policy file of method "checkpoint" (docs/policy-file.md). Its metadata holds the
// settings of the training, the epochs so far and Adam's steps; its tensors are now/NAME, best/NAME
// (parameters and buffers), moment1/NAME and moment2/NAME (Adam's, of parameters).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ifd/data/safetensors.h"
#include "ifd/policy/policy_file.h"
#include "train/schedule.h"

namespace ifd::train {

inline constexpr std::string_view kCheckpointMethod = "checkpoint";

struct Checkpoint {
  TrainingSummary summary;               // early stopping follows from its scores
  std::vector<Tensor> tensors;           // as above
  std::vector<std::int64_t> adam_steps;  // by parameter, in the module's order

  bool operator==(const Checkpoint&) const = default;
};

// `settings_json` is an object: everything the result depends on, files by their hashes.
PolicyFile checkpoint_file(const Checkpoint& checkpoint, const std::string& settings_json);

// "its seed is 1; expected 2": the first setting of `there` that is another in `here`; empty where
// all are the same. Both are JSON objects; `place` is where `there` stands, for messages.
std::string settings_difference(const std::string& there, const std::string& here,
                                const std::string& place);

// What a file's metadata says of a key; empty where it says nothing.
std::string metadata_text(const SafetensorsFile& file, const std::string& key);

// Error(kConflict), naming the first setting that differs, for the checkpoint of another training;
// Error(kCorruptFile) for what is no checkpoint or cannot have come out of a training: scores
// outside 0..1, a best epoch that is not the best, numbers that are not finite.
//
// "epochs" and "patience" may be others: they say how long a training goes on, and no step before
// its end depends on them.
Checkpoint checkpoint_from(const PolicyFile& file, const std::string& settings_json);

// "epochs 6 instead of 3, patience 9 instead of 4": what `settings_json` says of them, and a
// checkpoint that checkpoint_from reads; empty where both are the same.
std::string changed_length(const PolicyFile& file, const std::string& settings_json);

// How far a training of `schedule` on `cases` may be. Error(kConflict) where the checkpoint has
// more epochs; Error(kCorruptFile) where it has none, or Adam has not taken one step per batch of
// them (or none, for a parameter that nothing depends on).
void check_progress(const Checkpoint& checkpoint, const Schedule& schedule, std::size_t cases);

}  // namespace ifd::train
