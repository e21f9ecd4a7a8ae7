// Accuracy as a function of the deferral budget, and the areas under it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ifd/evaluation/credit.h"

namespace ifd {

// What would come of a case: the credit of the model's label, and that of the system's label if the
// case goes to the expert with the largest margin. Where nobody may take the case, `expert` is not
// read.
struct CaseOutcome {
  Credit model;
  Credit expert;
};

// The cases from the largest margin down: the part of a curve that does not depend on how often
// a case counts. Error(kBadInput) unless every margin is finite or kNeverDefer, there is an outcome
// for each, and at least one case.
class RankedCases {
 public:
  RankedCases(std::span<const double> margins, std::span<const CaseOutcome> outcomes);
  std::size_t size() const { return ranked_.size(); }

 private:
  friend class BudgetCurve;
  struct Case {
    double margin;
    std::uint32_t row;
    CaseOutcome outcome;
  };
  std::vector<Case> ranked_;
};

struct CurvePoint {
  double budget;
  double system_accuracy;
  std::optional<double> expert_accuracy;
};

// SysAcc(d) and ExpAcc(d) at the N+1 exact points d = i/N, linear between them.
//
// Cases with equal margins form a block, and inside a block the curve is the average over all
// orders of its cases, so the order of rows never matters: right answers (credits) grow linearly
// across the block, and ExpAcc(i/N) is that number among the first i, divided by i.
// ExpAcc(0) is the value of the first block. Cases that nobody may take are never deferred: past
// the last case that can be, both curves stay constant. Where no case can be deferred, ExpAcc is
// not defined.
//
// A budget outside [0, 1] and a range without d_min < d_max are Error(kBadInput).
class BudgetCurve {
 public:
  BudgetCurve(std::span<const double> margins, std::span<const CaseOutcome> outcomes);
  explicit BudgetCurve(const RankedCases& cases);
  // The curve of the multiset in which row i counts weights[i] times, as so many tied cases.
  // Error(kBadInput) unless there is a weight for each case, and at least one is positive.
  BudgetCurve(const RankedCases& cases, std::span<const std::uint32_t> weights);

  std::size_t cases() const { return cases_; }
  std::size_t deferrable() const { return blocks_.empty() ? 0 : blocks_.back().end; }
  // How many cases have a margin of at least `threshold` and may be deferred.
  std::size_t deferred_at(double threshold) const;

  double model_accuracy() const;
  double system_accuracy(double budget) const;
  // Where the budget is a cap: cases below `least_margin` stay with the model.
  double system_accuracy(double budget, double least_margin) const;
  std::optional<double> expert_accuracy(double budget) const;

  // AURSAC and AURDAC: the mean of the curve over [d_min, d_max].
  double aursac(double d_min = 0, double d_max = 1) const;
  std::optional<double> aurdac(double d_min = 0, double d_max = 1) const;

  // `count` points at evenly spaced budgets from 0 to 1; at least two.
  std::vector<CurvePoint> points(std::size_t count) const;

 private:
  // Totals from the first case to the end of a block.
  struct Block {
    double margin = 0;
    std::uint32_t end = 0;
    CreditTotal model = {};
    CreditTotal expert = {};
  };
  struct Range {
    double low, high;
  };

  template <typename WeightOf>
  void accumulate(const RankedCases& cases, WeightOf weight_of);

  double position(double budget) const;
  Range range(double d_min, double d_max) const;
  double right_at_end(const Block& block) const;
  double right_within(const Block& before, const Block& block, double position) const;
  double expert_accuracy_at(std::size_t deferred) const;
  double expert_accuracy_between(double position) const;
  double sum_of_expert_accuracies(std::size_t first, std::size_t last) const;

  std::vector<Block> blocks_;  // the deferrable ones
  std::size_t cases_ = 0;
  CreditTotal model_;
};

}  // namespace ifd
