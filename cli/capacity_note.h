// Capacities that are smaller than what a budget allows.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "ifd/policy/assignment.h"
#include "ifd/router.h"

namespace ifd::cli {

// Who is on duty at the router.
Availability on_duty_at(const Router& router);

// "note: the experts on duty can take 30 of the 300 cases in all; a budget of 20 % allows 60" where
// the total is below what some of the budgets allow, otherwise nothing.
std::string capacity_note(const MostCases& most, const Router& router, std::size_t cases,
                          std::span<const double> budgets);

}  // namespace ifd::cli
