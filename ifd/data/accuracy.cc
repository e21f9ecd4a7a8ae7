#include "ifd/data/accuracy.h"

#include <cassert>

namespace ifd {

double accuracy(const Predictions& labelled) {
  assert(labelled.has_labels());
  std::size_t right = 0;
  for (std::size_t i = 0; i < labelled.size(); ++i) {
    if (top_class(labelled.probabilities(i)) == labelled.label(i)) ++right;
  }
  return static_cast<double>(right) / static_cast<double>(labelled.size());
}

}  // namespace ifd
