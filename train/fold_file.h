// What is said of one fold of a cross-fit, kept until all folds are done. Nothing here needs
// LibTorch.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/safetensors.h"

namespace ifd::train {

// `probabilities` has as many for each of the `cases`. `settings_json` tells one training from
// another.
SafetensorsWriter fold_file(const std::string& settings_json, std::size_t cases,
                            std::span<const float> probabilities);

// The probabilities of a fold of so many cases and classes. Error(kCorruptFile) where the file is
// not one of a fold or of that size, Error(kConflict), naming what differs, where it belongs to
// another training than that of `settings_json`.
std::vector<float> fold_probabilities(const SafetensorsFile& file, const std::string& settings_json,
                                      std::size_t cases, std::size_t classes);

}  // namespace ifd::train
