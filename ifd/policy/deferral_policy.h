// The interface of every method, trained or not: a rule bound to today's roster that gives each
// expert a margin over the model on each case.
#pragma once

#include <cstddef>
#include <span>

#include "ifd/data/predictions.h"

namespace ifd {

struct CaseRange {
  std::size_t first;
  std::size_t last;  // one past the end
};

// Thread-safe. A margin depends on its case and expert alone, never on the rows around.
class DeferralPolicy {
 public:
  virtual ~DeferralPolicy() = default;
  virtual std::size_t experts() const = 0;
  // margins[(row - first) * experts() + j] for rows first..last-1; finite.
  virtual void score(const Predictions& predictions, CaseRange rows,
                     std::span<double> margins) const = 0;
};

}  // namespace ifd
