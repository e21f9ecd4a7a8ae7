// Routes as a table, a row per case.
#pragma once

#include <span>
#include <string>

#include "ifd/data/csv_text.h"
#include "ifd/data/predictions.h"
#include "ifd/router/combination.h"
#include "ifd/router/routes.h"

namespace ifd {

// case,decision,expert,prediction,margin, and with advice also advice,reader. `cases` are those
// that were routed; `advice` is empty or has one for each.
std::string routes_csv(const Predictions& cases, const Routes& routes, CsvText text,
                       std::span<const SecondOpinion> advice = {});

}  // namespace ifd
