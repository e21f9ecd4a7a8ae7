// Multi-Expert L2D, as methods to train: for any number of experts, and for a single one.
#pragma once

#include "train/training_method.h"

namespace ifd::train {

TrainingMethod multi_expert_method();
TrainingMethod single_expert_method();

}  // namespace ifd::train
