#include "ifd/data/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string_view>

#include "ifd/data/name_spelling.h"
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

// Shares what it is given, as long as anybody looks at it.
template <class Value>
std::shared_ptr<const std::vector<Value>> shared(std::vector<Value> values) {
  return std::make_shared<const std::vector<Value>>(std::move(values));
}

}  // namespace

Predictions::Predictions(Parts parts, const Locate& locate) {
  const auto probabilities = shared(std::move(parts.probabilities));
  const auto features = shared(std::move(parts.features));
  View view{std::move(parts.classes), *probabilities,          {},
            std::move(parts.cases),   std::move(parts.labels), *features,
            parts.feature_width};
  *this = of(std::move(view), locate);
  probabilities_owner_ = probabilities;
  features_owner_ = features;
}

Predictions Predictions::of(View view, const Locate& locate) {
  Predictions made;
  const std::size_t k = view.classes.size();
  const std::size_t n = view.probabilities.size() / k;
  const auto refuse = [&](const char* what, std::size_t found, std::size_t expected) {
    throw bad_input(fmt::format("{} {}; expected {}, for {} cases and {} classes", found, what,
                                expected, n, k));
  };
  if (view.probabilities.size() != n * k) {
    refuse("probabilities", view.probabilities.size(), n * k);
  }
  if (!view.cases.empty() && view.cases.size() != n) refuse("case names", view.cases.size(), n);
  if (!view.labels.empty() && view.labels.size() != n) refuse("labels", view.labels.size(), n);
  if (view.features.size() != n * view.feature_width) {
    refuse("features", view.features.size(), n * view.feature_width);
  }
  made.classes_ = std::make_shared<const ClassNames>(std::move(view.classes));
  made.size_ = n;
  made.probabilities_ = view.probabilities;
  made.features_ = view.features;
  made.feature_width_ = view.feature_width;
  made.probabilities_owner_ = view.owner;
  made.features_owner_ = std::move(view.owner);
  if (!view.cases.empty()) made.names_ = shared(std::move(view.cases));
  if (!view.labels.empty()) made.labels_ = shared(std::move(view.labels));
  made.check_probabilities(locate);
  made.check_features(locate);
  made.check_labels(locate);
  made.check_names(locate);
  return made;
}

namespace {

// What the numbers may be instead, where their sum gives it away.
std::string_view other_unit_hint(double sum) {
  if (std::abs(sum - 100) <= 2) return "; percentages? divide by 100, or read them with --percent";
  if (std::abs(sum - 0.01) <= 1e-4) return "; no percentages? leave out --percent";
  return "";
}

}  // namespace

void Predictions::check_probabilities(const Locate& locate) const {
  for (std::size_t row = 0; row < size_; ++row) {
    double sum = 0;
    const auto values = probabilities(row);
    for (std::size_t c = 0; c < values.size(); ++c) {
      const float p = values[c];
      if (!(std::isfinite(p) && p >= 0)) {
        throw bad_input(fmt::format("{}: {} is not a probability for class '{}'; expected 0..1",
                                    place(locate, row), p, excerpt(classes().name(class_id(c)))));
      }
      sum += p;
    }
    if (std::abs(sum - 1) > kProbabilitySumTolerance) {
      throw bad_input(fmt::format("{}: the probabilities sum to {:.6g}; expected 1 within {}{}",
                                  place(locate, row), sum, kProbabilitySumTolerance,
                                  other_unit_hint(sum)));
    }
  }
}

void Predictions::check_features(const Locate& locate) const {
  for (std::size_t row = 0; row < size_; ++row) {
    for (const float value : features(row)) {
      if (!std::isfinite(value)) {
        throw bad_input(fmt::format("{}: {} is not a feature; expected finite numbers",
                                    place(locate, row), value));
      }
    }
  }
}

void Predictions::check_labels(const Locate& locate) const {
  for (std::size_t row = 0; row < labels().size(); ++row) {
    if (index(label(row)) >= classes().size()) {
      throw bad_input(fmt::format("{}: '{}' is not a class; expected {}", place(locate, row),
                                  static_cast<std::int32_t>(label(row)), classes().allowed()));
    }
  }
}

void Predictions::check_names(const Locate& locate) const {
  if (!names_) return;
  DistinctNames seen(*names_);
  for (std::size_t row = 0; row < size_; ++row) {
    const std::string& name = (*names_)[row];
    if (name.empty()) {
      throw bad_input(fmt::format("{}: the case has no name; expected one", place(locate, row)));
    }
    if (is_too_long(name)) throw name_too_long(name, place(locate, row));
    if (!seen.insert(row)) {
      throw bad_input(fmt::format("{}: case '{}' is there twice; expected distinct cases",
                                  place(locate, row), excerpt(name)));
    }
  }
}

std::vector<std::string> Predictions::case_names() const {
  if (names_) return *names_;
  std::vector<std::string> made(size_);
  for (std::size_t row = 0; row < size_; ++row) made[row] = std::to_string(row);
  return made;
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
  if (probabilities.size() != probabilities_.size()) {
    throw bad_input(fmt::format("{} probabilities; expected {}, as there were before",
                                probabilities.size(), probabilities_.size()));
  }
  Predictions changed = *this;
  const auto kept = shared(std::move(probabilities));
  changed.probabilities_ = *kept;
  changed.probabilities_owner_ = kept;
  changed.check_probabilities({});
  return changed;
}

Predictions Predictions::with_labels(std::vector<ClassId> labels) const {
  if (labels.size() != size_) {
    throw bad_input(
        fmt::format("{} labels; expected one for each of the {} cases", labels.size(), size_));
  }
  Predictions changed = *this;
  changed.labels_ = labels.empty() ? nullptr : shared(std::move(labels));
  changed.check_labels({});
  return changed;
}

Predictions Predictions::subset(std::span<const std::size_t> rows) const {
  Parts parts{classes(), {}, {}, {}, {}, feature_width_};
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

Predictions::Parts Predictions::parts() const {
  return {classes(),
          names_ ? *names_ : std::vector<std::string>(),
          {probabilities_.begin(), probabilities_.end()},
          {labels().begin(), labels().end()},
          {features_.begin(), features_.end()},
          feature_width_};
}

ClassId top_class(std::span<const float> probabilities) {
  const auto top = std::max_element(probabilities.begin(), probabilities.end());
  return class_id(static_cast<std::size_t>(top - probabilities.begin()));
}

CaseIndex::CaseIndex(const Predictions& predictions) : names_(predictions.case_names()) {
  rows_.reserve(names_.size());
  for (std::size_t row = 0; row < names_.size(); ++row) rows_.emplace(names_[row], row);
}

std::optional<std::size_t> CaseIndex::find(std::string_view name) const {
  const auto found = rows_.find(name);
  if (found == rows_.end()) return {};
  return found->second;
}

}  // namespace ifd
