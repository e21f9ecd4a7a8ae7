// What a mistake costs, and what it costs to ask somebody.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/class_names.h"

namespace ifd {

// The fee of one case by the expert's name; "*" is everybody who is not named. Nobody else has one.
using Fees = std::map<std::string, double, std::less<>>;

// Costs and fees in 0..kLargestCost, so that no sum of them overflows or loses a cent.
inline constexpr double kLargestCost = 1e12;
inline constexpr std::size_t kLongestUnit = 24;  // bytes
// The table has a place for each pair of them.
inline constexpr std::size_t kMostClassesWithCosts = 2000;

// C[truth][label], zero where the label is the truth, with the fees, all in one unit. Immutable.
class Costs {
 public:
  // `table` is K x K, the row of a truth after the other. `unit` is what the numbers count ("EUR"),
  // empty where nobody said. Error(kBadInput) for a number that is negative, too large or NaN, for
  // a right answer that costs something, and where no mistake costs anything.
  Costs(ClassNames classes, std::vector<double> table, Fees fees = {}, std::string unit = {});

  const ClassNames& classes() const& { return classes_; }
  ClassNames classes() const&& { return classes_; }
  const Fees& fees() const& { return fees_; }
  Fees fees() const&& { return fees_; }
  const std::string& unit() const& { return unit_; }
  std::string unit() const&& { return unit_; }

  double at(ClassId truth, ClassId label) const {
    return table_[index(truth) * classes_.size() + index(label)];
  }
  // What an answer costs; one outside the classes as much as the worst mistake on that truth.
  double of(Answer answer, ClassId truth) const {
    return answer.is_outside() || answer.is_missing() ? worst_[index(truth)]
                                                      : at(truth, answer.as_class());
  }
  // The mean over the wrong labels: what a mistake costs of which only the truth is known.
  double mean_mistake(ClassId truth) const { return mean_mistake_[index(truth)]; }
  double fee(std::string_view expert) const;
  std::vector<double> fees_of(std::span<const std::string> experts) const;

  double largest_cost() const { return largest_cost_; }
  // The most that one case can cost, fee and mistake together.
  double largest_total() const { return largest_cost_ + largest_fee_; }
  // What every mistake costs where all cost the same and nobody has a fee: expected costs are then
  // chances of being wrong, so many times.
  std::optional<double> even_cost() const {
    return largest_fee_ == 0 ? even_mistake_ : std::nullopt;
  }
  // The same whatever the fees: the most probable label is then the cheapest.
  std::optional<double> even_mistake() const { return even_mistake_; }

  // Error(kBadInput) where a fee is for none of these.
  void check_fees(std::span<const std::string> experts) const;

 private:
  ClassNames classes_;
  std::vector<double> table_;
  Fees fees_;
  std::string unit_;
  std::vector<double> worst_;
  std::vector<double> mean_mistake_;
  double largest_cost_ = 0;
  double largest_fee_ = 0;
  std::optional<double> even_mistake_;
};

// "'zoe' is not an expert; expected one of ann, bob or * for everybody": what to say of a fee for
// nobody.
std::string fee_for_nobody(std::string_view name, std::span<const std::string> experts);

}  // namespace ifd
