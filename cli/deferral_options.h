// --budget, --threshold and --fill-budget, of the commands that decide on cases.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>

#include "ifd/router/deferral_rule.h"

namespace ifd::cli {

struct DeferralOptions {
  std::optional<double> budget;
  std::optional<double> threshold;
  bool fill_budget = false;

  void add_to(CLI::App& command);
  // Error(kUsage) for what does not go together.
  void check() const;
  // Below which cases stay with the model, within a budget.
  LeastMargin least_margin() const {
    return fill_budget ? LeastMargin(kFillBudget) : LeastMargin(threshold);
  }
};

}  // namespace ifd::cli
