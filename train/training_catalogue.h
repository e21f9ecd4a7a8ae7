// Every method that can be trained. A new one has its own x_method.h and x_method.cc, and a row
// here; the command line, checkpoints, policy files and experiments learn of it from the row.
#pragma once

#include <string_view>
#include <vector>

#include "train/training_method.h"

namespace ifd::train {

const std::vector<TrainingMethod>& training_methods();

// Error(kUsage), naming those there are, for a name that none has.
const TrainingMethod& training_method(std::string_view name);

}  // namespace ifd::train
