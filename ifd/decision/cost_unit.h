// How amounts of money, hours or whatever costs count in are written.
#pragma once

#include <string>

#include "ifd/decision/costs.h"

namespace ifd {

class CostUnit {
 public:
  explicit CostUnit(const Costs& costs);

  // "EUR", in characters that may be shown; empty where nobody said.
  const std::string& name() const& { return name_; }
  std::string name() const&& { return name_; }
  double largest_total() const { return largest_total_; }

  // Two decimals, more where the largest of the costs is below 10: "3.20".
  std::string number(double amount) const;
  // With the unit, if it has a name: "3.20 EUR".
  std::string text(double amount) const;

 private:
  std::string name_;
  double largest_total_;
};

}  // namespace ifd
