#include "ifd/data/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <string_view>

#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

std::string place(const Predictions::Locate& locate, std::size_t row) {
  return locate ? locate(row) : fmt::format("row {}", row);
}

// Finds the first name that is there twice. Rows of a file are often sorted: as long as every name
// is greater than the one before, nothing else is needed. After that, a flat table of hashes and
// rows: a million nodes of a standard set would cost more than reading the file.
class DistinctNames {
 public:
  explicit DistinctNames(const std::vector<std::string>& names) : names_(names) {}

  // The rows come in order from 0. False where an earlier row has the name of this one.
  bool insert(std::size_t row) {
    if (slots_.empty()) {
      if (row == 0 || names_[row - 1] < names_[row]) return true;
      slots_.resize(std::bit_ceil(2 * names_.size()));
      for (std::size_t earlier = 0; earlier < row; ++earlier) place_in_table(earlier);
    }
    return place_in_table(row);
  }

 private:
  struct Slot {
    std::size_t hash = 0;
    std::size_t row_and_one = 0;  // 0: free
  };

  bool place_in_table(std::size_t row) {
    const std::size_t hash = std::hash<std::string_view>()(names_[row]);
    for (std::size_t at = hash;; ++at) {
      Slot& slot = slots_[at & (slots_.size() - 1)];
      if (slot.row_and_one == 0) {
        slot = {hash, row + 1};
        return true;
      }
      if (slot.hash == hash && names_[slot.row_and_one - 1] == names_[row]) return false;
    }
  }

  const std::vector<std::string>& names_;
  std::vector<Slot> slots_;
};

}  // namespace

Predictions::Predictions(Parts parts, const Locate& locate) : parts_(std::move(parts)) {
  const std::size_t k = parts_.classes.size();
  const std::size_t n = parts_.probabilities.size() / k;
  assert(parts_.probabilities.size() == n * k);
  assert(parts_.labels.empty() || parts_.labels.size() == n);
  assert(parts_.features.size() == n * parts_.feature_width);
  for (std::size_t row = 0; row < n; ++row) {
    double sum = 0;
    for (std::size_t c = 0; c < k; ++c) {
      const float p = parts_.probabilities[row * k + c];
      if (!(std::isfinite(p) && p >= 0)) {
        throw bad_input(fmt::format("{}: {} is not a probability for class '{}'; expected 0..1",
                                    place(locate, row), p,
                                    excerpt(parts_.classes.name(class_id(c)))));
      }
      sum += p;
    }
    if (std::abs(sum - 1) > kProbabilitySumTolerance) {
      throw bad_input(fmt::format("{}: the probabilities sum to {:.6g}; expected 1 within {}",
                                  place(locate, row), sum, kProbabilitySumTolerance));
    }
    for (const float value : features(row)) {
      if (!std::isfinite(value)) {
        throw bad_input(fmt::format("{}: {} is not a feature; expected finite numbers",
                                    place(locate, row), value));
      }
    }
  }
  for (std::size_t row = 0; row < parts_.labels.size(); ++row) {
    if (index(parts_.labels[row]) >= k) {
      throw bad_input(fmt::format("{}: '{}' is not a class; expected {}", place(locate, row),
                                  static_cast<std::int32_t>(parts_.labels[row]),
                                  parts_.classes.allowed()));
    }
  }
  if (parts_.cases.empty()) {
    numbers_its_cases_ = true;
    parts_.cases.resize(n);
    for (std::size_t row = 0; row < n; ++row) parts_.cases[row] = std::to_string(row);
    return;
  }
  assert(parts_.cases.size() == n);
  DistinctNames seen(parts_.cases);
  for (std::size_t row = 0; row < n; ++row) {
    if (parts_.cases[row].empty()) {
      throw bad_input(fmt::format("{}: the case has no name; expected one", place(locate, row)));
    }
    if (!seen.insert(row)) {
      throw bad_input(fmt::format("{}: case '{}' is there twice; expected distinct cases",
                                  place(locate, row), excerpt(parts_.cases[row])));
    }
  }
}

std::vector<float> Predictions::from_logits(std::span<const double> logits, std::size_t classes,
                                            const Locate& locate) {
  std::vector<float> probabilities(logits.size());
  std::vector<double> powers(classes);
  std::vector<double> ordered(classes);
  for (std::size_t row = 0; row * classes < logits.size(); ++row) {
    const auto g = logits.subspan(row * classes, classes);
    for (const double value : g) {
      if (!std::isfinite(value)) {
        throw bad_input(fmt::format("{}: {} is not a logit; expected finite numbers",
                                    place(locate, row), value));
      }
    }
    const double top = *std::max_element(g.begin(), g.end());
    for (std::size_t c = 0; c < classes; ++c) powers[c] = std::exp(g[c] - top);
    ordered = powers;
    std::sort(ordered.begin(), ordered.end());
    double sum = 0;
    for (const double power : ordered) sum += power;
    for (std::size_t c = 0; c < classes; ++c) {
      probabilities[row * classes + c] = static_cast<float>(powers[c] / sum);
    }
  }
  return probabilities;
}

Predictions Predictions::with_probabilities(std::vector<float> probabilities) const {
  Parts parts = parts_;
  parts.probabilities = std::move(probabilities);
  if (numbers_its_cases_) parts.cases.clear();
  return Predictions(std::move(parts));
}

Predictions Predictions::with_labels(std::vector<ClassId> labels) const {
  Parts parts = parts_;
  parts.labels = std::move(labels);
  if (numbers_its_cases_) parts.cases.clear();
  return Predictions(std::move(parts));
}

Predictions Predictions::subset(std::span<const std::size_t> rows) const {
  Parts parts{classes(), {}, {}, {}, {}, parts_.feature_width};
  for (const std::size_t row : rows) {
    parts.cases.push_back(case_name(row));
    const auto p = probabilities(row);
    parts.probabilities.insert(parts.probabilities.end(), p.begin(), p.end());
    if (has_labels()) parts.labels.push_back(label(row));
    const auto f = features(row);
    parts.features.insert(parts.features.end(), f.begin(), f.end());
  }
  return Predictions(std::move(parts));
}

ClassId top_class(std::span<const float> probabilities) {
  const auto top = std::max_element(probabilities.begin(), probabilities.end());
  return class_id(static_cast<std::size_t>(top - probabilities.begin()));
}

}  // namespace ifd
