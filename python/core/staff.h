// A roster that Python callers build, change and keep.
#pragma once

#include <memory>
#include <mutex>

#include "ifd/data/answers_format.h"
#include "ifd/router/roster_state.h"
#include "python/core/bindings.h"

namespace ifd::python {

// Safe to share among threads: whoever reads or changes the state holds the mutex, and never waits
// for the interpreter's lock while it does.
class Staff {
 public:
  explicit Staff(RosterState state, TruthKind truth = TruthKind::kGiven)
      : state_(std::move(state)), truth_(truth) {}

  // Calls `read` or `change` with the state; returns what it does.
  template <typename Read>
  auto read(const Read& read) const {
    const std::lock_guard lock(mutex_);
    return read(std::as_const(state_));
  }
  template <typename Change>
  auto change(const Change& change) {
    const std::lock_guard lock(mutex_);
    return change(state_);
  }
  // Where the truths of the answers came from that it was made of.
  TruthKind truth() const { return truth_; }
  RosterState copy() const {
    return read([](const RosterState& state) { return state; });
  }

 private:
  mutable std::mutex mutex_;
  RosterState state_;
  const TruthKind truth_;
};

// One prior per class, from None, a pair (alpha, beta), or a sequence of pairs.
std::vector<BetaPrior> priors_of(const py::object& prior, std::size_t classes);
// The same, and "staff": what the answers of these experts say of somebody new.
std::vector<BetaPrior> priors_of(const py::object& prior, const RosterState& staff);

// An answer as update() and observe() are told it.
Observation observation_of(const ClassNames& classes, const py::object& answer,
                           const py::object& truth, const py::object& case_name);

}  // namespace ifd::python
