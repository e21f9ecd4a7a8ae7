// The first screen: what a newcomer needs in one minute.
#pragma once

#include "experiments/claims/headline.h"
#include "experiments/report/document.h"

namespace ifd::experiments {

// Five sentences, a picture of who wins where, and the list of headline comparisons.
void write_minute(Document& document, const Summary& summary, const Headline& list);

}  // namespace ifd::experiments
