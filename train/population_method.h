// L2D-Pop, as methods to train: pop-qi, pop-qc, pop-qi-perm, pop-qc-perm.
#pragma once

#include "train/baseline_trainer.h"
#include "train/training_method.h"

namespace ifd::train {

TrainingMethod population_method(PopulationEncoder encoder, ClassNaming naming);

}  // namespace ifd::train
