// What the classifier says: one row of class probabilities a case, maybe labels, maybe features.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ifd/data/class_names.h"
#include "ifd/ids.h"

namespace ifd {

// A row of probabilities may miss 1 by this much (files round their numbers).
inline constexpr double kProbabilitySumTolerance = 1e-3;

// N cases with K probabilities each. Always valid: every row is finite, non-negative and sums to
// 1 within the tolerance; case names are distinct and not empty; labels are classes.
class Predictions {
 public:
  struct Parts {
    ClassNames classes;
    std::vector<std::string> cases;    // N names; empty: the row numbers are the names
    std::vector<float> probabilities;  // N x K, row by row
    std::vector<ClassId> labels;       // N, or empty where nobody knows the truth
    std::vector<float> features;       // N x feature_width, or empty
    std::size_t feature_width = 0;
  };
  // Names a row in messages ("p.csv:7"). The default is "row 5".
  using Locate = std::function<std::string(std::size_t row)>;

  explicit Predictions(Parts parts, const Locate& locate = {});

  // The classifier's logits as probabilities, rounded to float, by a softmax whose sum runs in
  // the order of the values: renaming the classes permutes the result bit for bit.
  static std::vector<float> from_logits(std::span<const double> logits, std::size_t classes,
                                        const Locate& locate = {});

  std::size_t size() const { return parts_.cases.size(); }
  const ClassNames& classes() const { return parts_.classes; }
  const std::string& case_name(std::size_t row) const { return parts_.cases[row]; }
  const std::vector<std::string>& case_names() const { return parts_.cases; }
  // The cases have no names of their own: row numbers stand for them, which another file may use
  // for other cases.
  bool numbers_its_cases() const { return numbers_its_cases_; }
  std::span<const float> probabilities(std::size_t row) const {
    return {parts_.probabilities.data() + row * classes().size(), classes().size()};
  }
  std::span<const float> all_probabilities() const { return parts_.probabilities; }

  bool has_labels() const { return !parts_.labels.empty(); }
  ClassId label(std::size_t row) const { return parts_.labels[row]; }
  const std::vector<ClassId>& labels() const { return parts_.labels; }

  std::size_t feature_width() const { return parts_.feature_width; }
  std::span<const float> features(std::size_t row) const {
    return {parts_.features.data() + row * parts_.feature_width, parts_.feature_width};
  }

  // The same cases with other probabilities (calibrated, say) or with labels from elsewhere.
  Predictions with_probabilities(std::vector<float> probabilities) const;
  Predictions with_labels(std::vector<ClassId> labels) const;
  // The rows named by `rows`, in that order.
  Predictions subset(std::span<const std::size_t> rows) const;

  const Parts& parts() const { return parts_; }

 private:
  Parts parts_;
  bool numbers_its_cases_ = false;
};

// The class the model would answer: the most probable. Among equals the lowest index answers,
// because an answer must be one class; no margin depends on which.
ClassId top_class(std::span<const float> probabilities);

}  // namespace ifd
