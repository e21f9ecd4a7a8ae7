// Routes as a table, a row per case.
#pragma once

#include <string>

#include "ifd/data/csv_text.h"
#include "ifd/data/predictions.h"
#include "ifd/router/routes.h"

namespace ifd {

// case,decision,expert,prediction,margin. `cases` are those that were routed.
std::string routes_csv(const Predictions& cases, const Routes& routes, CsvText text);

}  // namespace ifd
