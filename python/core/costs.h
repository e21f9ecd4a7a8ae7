// Costs and fees as Python callers give them.
#pragma once

#include <memory>
#include <string>

#include "ifd/data/class_names.h"
#include "ifd/decision/costs.h"
#include "python/core/bindings.h"

namespace ifd::python {

// Null for None. Costs: a path, a table (truth, label, cost), a dict from (truth, label) to cost
// with "*" for all that are not named, or bytes, which are the contents of a file. Fees: likewise,
// with a dict from expert to fee. Error(kUsage) for fees without costs.
std::shared_ptr<const Costs> costs_of(const py::object& costs, const py::object& fees,
                                      const ClassNames& classes,
                                      const std::vector<std::string>& experts);

// As files, which costs_of() takes as bytes; None without costs, or without fees. The fees of
// these experts alone: a router may have lost somebody since.
py::object costs_bytes(const Costs* costs);
py::object fees_bytes(const Costs* costs, const std::vector<std::string>& experts);

// As dicts; None likewise.
py::object costs_dict(const Costs* costs);
py::object fees_dict(const Costs* costs);

// Whether both are there and equal, or neither is.
bool same_costs(const Costs* a, const Costs* b);

}  // namespace ifd::python
