// Classifiers of others: TorchScript modules. They are programs, which run with the rights of
// whoever loads them: never to be read from a stranger.
#pragma once

#include <filesystem>
#include <memory>

#include "train/image_classifier.h"

namespace ifd::train {

// A module that maps float images N x C x H x W to logits N x K, to a tuple (logits, features) or
// to a dictionary with `logits` and maybe `features`. A file that is no such module is
// Error(kCorruptFile); a module that fails or answers otherwise is Error(kBadInput) when it is
// asked.
std::unique_ptr<Classifier> read_torch_script(const std::filesystem::path& path,
                                              const Normalisation& normalisation);

}  // namespace ifd::train
