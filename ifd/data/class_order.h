// Predictions of another file in the order of classes that everything else has.
#pragma once

#include <string>

#include "ifd/data/class_names.h"
#include "ifd/data/predictions.h"

namespace ifd {

// The same predictions with their classes in the wanted order. Error(kBadInput) with the place (the
// file) where the classes are others: which are missing, which are there besides.
Predictions in_class_order(const Predictions& predictions, const ClassNames& wanted,
                           const std::string& place);

}  // namespace ifd
