// Identity-free deferral, as a method to train.
#pragma once

#include "train/training_method.h"

namespace ifd::train {

TrainingMethod ifd_method();

}  // namespace ifd::train
