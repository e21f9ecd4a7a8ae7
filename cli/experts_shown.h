// How many experts a table for people shows.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>

namespace ifd::cli {

// More than these fill the screen and are read by nobody.
inline constexpr std::size_t kMostExperts = 30;

enum class ExpertsShown { kMost, kAll };

// How many of so many experts have a row.
std::size_t rows_for(std::size_t experts, ExpertsShown shown);

// --all-experts, for commands with such tables.
void add_all_experts_flag(CLI::App& command, ExpertsShown& shown);

}  // namespace ifd::cli
