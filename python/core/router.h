// The router as Python callers hold it.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "ifd/router.h"
#include "python/core/bindings.h"

namespace ifd::python {

using MostCasesByName = std::map<std::string, std::size_t>;

// A router with what it was made of, which a copy or a pickle is made of again.
struct RouterHandle {
  RouterHandle(Router made, RouterOptions options_, MostCasesByName capacity_)
      : router(std::move(made)), options(std::move(options_)), capacity(std::move(capacity_)) {}

  Router router;
  RouterOptions options;
  MostCasesByName capacity;               // of every call that gives none of its own
  TruthKind truth = TruthKind::kGiven;    // where the truths of the staff's answers came from
  std::atomic<std::uint64_t> changes{0};  // so often has something been learnt or changed
};

// Capacities by expert: a mapping, or None for none.
MostCasesByName most_cases_of(const py::object& capacity);

}  // namespace ifd::python
