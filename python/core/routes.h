// Routes as Python callers get them, with the cases and the router that they are of.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "ifd/router.h"
#include "python/core/router.h"

namespace ifd::python {

struct RoutesHandle {
  Routes routes;
  Predictions cases;
  std::shared_ptr<const RouterHandle> router;  // null: these were read from a pickle
  std::uint64_t changes = 0;                   // of the router when they were made
  std::optional<double> budget = {};           // where one was asked for
};

}  // namespace ifd::python
