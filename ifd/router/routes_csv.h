// Routes as a table, a row per case.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "ifd/data/csv_text.h"
#include "ifd/data/predictions.h"
#include "ifd/router/combination.h"
#include "ifd/router/routes.h"

namespace ifd {

// case,decision,expert,prediction,margin, and with advice also advice,reader. `cases` are those
// that were routed; `advice` is empty or has one for each.
// Line by line: names as long as they may be make it many times as large as the predictions.
void write_routes_csv(const std::function<void(std::string_view)>& write, const Predictions& cases,
                      const Routes& routes, CsvText text,
                      std::span<const SecondOpinion> advice = {});

}  // namespace ifd
