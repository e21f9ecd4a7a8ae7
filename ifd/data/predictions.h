// What the classifier says: one row of class probabilities per case, maybe labels, maybe features.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ifd/checked_place.h"
#include "ifd/data/class_names.h"
#include "ifd/ids.h"

namespace ifd {

// A row of probabilities may miss 1 by this much (files round their numbers).
inline constexpr double kProbabilitySumTolerance = 1e-3;

// N cases with K probabilities each. Always valid: every row is finite, non-negative and sums to
// 1 within the tolerance; case names are distinct and not empty; labels are classes.
//
// Immutable, and cheap to copy: copies share their numbers. What refers to them does so while they
// live: of predictions that are about to go, the same members give copies.
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
  // The same on memory of the caller, which is read in place. `owner` keeps that memory: it is
  // held as long as anything of these predictions is. Without an owner the caller answers for it.
  struct View {
    ClassNames classes;
    std::span<const float> probabilities;  // N x K, row by row
    std::shared_ptr<const void> owner = {};
    std::vector<std::string> cases = {};  // N names; empty: made from row numbers when asked for
    std::vector<ClassId> labels = {};
    std::span<const float> features = {};
    std::size_t feature_width = 0;
  };
  // Names a row in messages ("p.csv:7"). The default is "row 5".
  using Locate = std::function<std::string(std::size_t row)>;

  // Error(kBadInput) for what is not valid, and where the sizes do not fit together.
  explicit Predictions(Parts parts, const Locate& locate = {});
  static Predictions of(View view, const Locate& locate = {});

  // The classifier's logits as probabilities, rounded to float, by a softmax whose sum runs in
  // the order of the values: renaming the classes permutes the result bit for bit.
  static std::vector<float> from_logits(std::span<const double> logits, std::size_t classes,
                                        const Locate& locate = {});

  std::size_t size() const { return size_; }
  const ClassNames& classes() const& { return *classes_; }
  ClassNames classes() const&& { return *classes_; }

  // Here and below: Error(kNotFound) for a row that is not there.
  // By value: names that are row numbers are made when asked for.
  std::string case_name(std::size_t row) const {
    checked_place("row", row, size_);
    return names_ ? (*names_)[row] : std::to_string(row);
  }
  std::vector<std::string> case_names() const;
  // The cases have no names of their own: row numbers stand for them, which another file may use
  // for other cases.
  bool numbers_its_cases() const { return names_ == nullptr; }

  std::span<const float> probabilities(std::size_t row) const& {
    return probabilities_.subspan(checked_place("row", row, size_) * classes().size(),
                                  classes().size());
  }
  std::vector<float> probabilities(std::size_t row) const&& { return copied(probabilities(row)); }
  std::span<const float> all_probabilities() const& { return probabilities_; }
  std::vector<float> all_probabilities() const&& { return copied(probabilities_); }

  bool has_labels() const { return labels_ != nullptr; }
  // Error(kNotFound) where there are no labels.
  ClassId label(std::size_t row) const {
    return (*labels_)[checked_place("label", row, labels_ ? size_ : 0)];
  }
  std::span<const ClassId> labels() const& {  // N, or empty
    return labels_ ? std::span<const ClassId>(*labels_) : std::span<const ClassId>();
  }
  std::vector<ClassId> labels() const&& { return labels_ ? *labels_ : std::vector<ClassId>(); }

  std::size_t feature_width() const { return feature_width_; }
  std::span<const float> features(std::size_t row) const& {
    return features_.subspan(checked_place("row", row, size_) * feature_width_, feature_width_);
  }
  std::vector<float> features(std::size_t row) const&& { return copied(features(row)); }
  std::span<const float> all_features() const& { return features_; }
  std::vector<float> all_features() const&& { return copied(features_); }

  // The same cases with other probabilities (calibrated, say) or with labels from elsewhere.
  Predictions with_probabilities(std::vector<float> probabilities) const;
  Predictions with_labels(std::vector<ClassId> labels) const;
  // The rows named by `rows`, in that order.
  Predictions subset(std::span<const std::size_t> rows) const;

  // Copies of everything.
  Parts parts() const;

 private:
  Predictions() = default;
  static std::vector<float> copied(std::span<const float> values) {
    return {values.begin(), values.end()};
  }
  void check_probabilities(const Locate& locate) const;
  void check_features(const Locate& locate) const;
  void check_labels(const Locate& locate) const;
  void check_names(const Locate& locate) const;

  std::shared_ptr<const ClassNames> classes_;
  std::size_t size_ = 0;
  std::shared_ptr<const std::vector<std::string>> names_;  // null: the row numbers
  std::shared_ptr<const std::vector<ClassId>> labels_;     // null: not known
  std::span<const float> probabilities_;
  std::span<const float> features_;
  std::size_t feature_width_ = 0;
  std::shared_ptr<const void> probabilities_owner_;
  std::shared_ptr<const void> features_owner_;
};

// The class the model would answer: the most probable. Among equals the lowest index answers,
// because an answer must be one class; no margin depends on which.
ClassId top_class(std::span<const float> probabilities);

// Finds the row of a case by its name.
class CaseIndex {
 public:
  explicit CaseIndex(const Predictions& predictions);
  // What is looked up refers to the names here: a copy would refer to those of another.
  CaseIndex(const CaseIndex&) = delete;
  CaseIndex& operator=(const CaseIndex&) = delete;
  CaseIndex(CaseIndex&&) = default;
  CaseIndex& operator=(CaseIndex&&) = default;
  std::optional<std::size_t> find(std::string_view name) const;

 private:
  std::vector<std::string> names_;
  std::unordered_map<std::string_view, std::size_t> rows_;
};

}  // namespace ifd
