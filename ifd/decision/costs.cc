#include "ifd/decision/costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_set>

#include "ifd/data/name_spelling.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd {
namespace {

void check_amount(double amount, const std::string& what) {
  if (amount >= 0 && amount <= kLargestCost) return;
  throw bad_input(
      fmt::format("{} is {}; expected a number in 0..{:g}", what, amount, kLargestCost));
}

std::string pair_named(const ClassNames& classes, std::size_t truth, std::size_t label) {
  return fmt::format("the cost of '{}' taken for '{}'", excerpt(classes.name(class_id(truth))),
                     excerpt(classes.name(class_id(label))));
}

void check_table(const ClassNames& classes, const std::vector<double>& table) {
  const std::size_t k = classes.size();
  if (k > kMostClassesWithCosts) {
    throw bad_input(
        fmt::format("costs of {} classes; expected at most {}", k, kMostClassesWithCosts));
  }
  if (table.size() != k * k) {
    throw bad_input(fmt::format("{} costs; expected {} x {}, one for each truth and label",
                                table.size(), k, k));
  }
  for (std::size_t truth = 0; truth < k; ++truth) {
    for (std::size_t label = 0; label < k; ++label) {
      const double cost = table[truth * k + label];
      check_amount(cost, pair_named(classes, truth, label));
      if (truth == label && cost != 0) {
        throw bad_input(fmt::format("the right answer '{}' costs {}; expected 0",
                                    excerpt(classes.name(class_id(truth))), cost));
      }
    }
  }
  if (std::all_of(table.begin(), table.end(), [](double cost) { return cost == 0; })) {
    throw bad_input("no mistake costs anything; expected a cost above 0");
  }
}

// In the order of the values, so that the names of the classes change no bit.
double mean_of_mistakes(std::span<const double> row, std::size_t truth) {
  std::vector<double> mistakes(row.begin(), row.end());
  mistakes.erase(mistakes.begin() + static_cast<std::ptrdiff_t>(truth));
  std::sort(mistakes.begin(), mistakes.end());
  // All alike: dividing their sum would round.
  if (mistakes.front() == mistakes.back()) return mistakes.front();
  return std::accumulate(mistakes.begin(), mistakes.end(), 0.0) /
         static_cast<double>(mistakes.size());
}

}  // namespace

Costs::Costs(ClassNames classes, std::vector<double> table, Fees fees, std::string unit)
    : classes_(std::move(classes)),
      table_(std::move(table)),
      fees_(std::move(fees)),
      unit_(std::move(unit)) {
  check_table(classes_, table_);
  if (unit_.size() > kLongestUnit) {
    throw bad_input(fmt::format("the unit '{}' has {} bytes; expected at most {}", excerpt(unit_),
                                unit_.size(), kLongestUnit));
  }
  for (const auto& [expert, fee] : fees_) {
    check_amount(fee, fmt::format("the fee of '{}'", excerpt(expert)));
    largest_fee_ = std::max(largest_fee_, fee);
  }
  const std::size_t k = classes_.size();
  double least = kLargestCost;
  for (std::size_t truth = 0; truth < k; ++truth) {
    const auto row = std::span(table_).subspan(truth * k, k);
    worst_.push_back(*std::max_element(row.begin(), row.end()));
    mean_mistake_.push_back(mean_of_mistakes(row, truth));
    largest_cost_ = std::max(largest_cost_, worst_.back());
    for (std::size_t label = 0; label < k; ++label) {
      if (label != truth) least = std::min(least, row[label]);
    }
  }
  if (least == largest_cost_) even_mistake_ = least;
}

double Costs::fee(std::string_view expert) const {
  auto found = fees_.find(expert);
  if (found == fees_.end()) found = fees_.find(std::string_view("*"));
  return found == fees_.end() ? 0 : found->second;
}

std::vector<double> Costs::fees_of(std::span<const std::string> experts) const {
  std::vector<double> fees;
  fees.reserve(experts.size());
  for (const std::string& name : experts) fees.push_back(fee(name));
  return fees;
}

void Costs::check_fees(std::span<const std::string> experts) const {
  const std::unordered_set<std::string_view> known(experts.begin(), experts.end());
  for (const auto& [expert, fee] : fees_) {
    if (expert == "*" || known.contains(expert)) continue;
    throw bad_input(fmt::format("a fee: {}", fee_for_nobody(expert, experts)));
  }
}

std::string fee_for_nobody(std::string_view name, std::span<const std::string> experts) {
  return fmt::format("'{}' is not an expert; expected one of {} or * for everybody", excerpt(name),
                     list_of_names(experts));
}

}  // namespace ifd
