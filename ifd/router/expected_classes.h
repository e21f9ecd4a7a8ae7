// Cases of a router's own classes.
#pragma once

#include "ifd/data/predictions.h"

namespace ifd {

// Error(kBadInput) for cases of other classes; `what` names them in the message.
void check_classes(const ClassNames& classes, const Predictions& cases, const char* what);

}  // namespace ifd
