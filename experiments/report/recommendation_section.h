// What to start with.
#pragma once

#include "experiments/claims/recommendation.h"
#include "experiments/report/document.h"

namespace ifd::experiments {

void write_recommendation(Document& document, const Recommendation& recommendation);

}  // namespace ifd::experiments
