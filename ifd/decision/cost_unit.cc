#include "ifd/decision/cost_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ifd/data/visible_text.h"

namespace ifd {

CostUnit::CostUnit(const Costs& costs)
    : name_(visible_text(costs.unit())), largest_total_(costs.largest_total()) {}

std::string CostUnit::number(double amount) const {
  constexpr int kMostDecimals = 12;
  const int decimals =
      std::clamp(3 - static_cast<int>(std::floor(std::log10(largest_total_))), 2, kMostDecimals);
  std::string text = fmt::format("{:.{}f}", amount, decimals);
  const bool is_zero = text.find_first_not_of("-0.") == std::string::npos;
  if (is_zero && text.front() == '-') text.erase(0, 1);
  return text;
}

std::string CostUnit::text(double amount) const {
  return name_.empty() ? number(amount) : fmt::format("{} {}", number(amount), name_);
}

}  // namespace ifd
