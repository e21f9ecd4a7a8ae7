// ifd_bench: what the library costs, as ratios to things every machine can do.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "benchmarks/sections.h"
#include "ifd/data/file_bytes.h"

namespace {

using namespace ifd::benchmark;

constexpr std::array<std::pair<const char*, void (*)(Report&, const Effort&)>, 7> kSections{{
    {"start-up", measure_start_up},
    {"reading", measure_reading},
    {"margins", measure_margins},
    {"curves", measure_curves},
    {"routing", measure_routing},
    {"capacity", measure_capacity},
    {"bootstrap", measure_bootstrap},
}};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures ifd. Every comparison interleaves the two things it compares.");
  bool quick = false;
  std::string json;
  std::string only;
  std::size_t rounds = 7;
  app.add_flag("--quick", quick, "Small inputs: seconds instead of minutes");
  app.add_option("--json", json, "Also write the rows to this file");
  app.add_option("--rounds", rounds, "Rounds of each comparison")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--only", only,
                 "One section: start-up, reading, margins, curves, routing, "
                 "capacity or bootstrap");
  CLI11_PARSE(app, argc, argv);
  const Effort effort =
      quick ? Effort{50'000, 100'000, rounds} : Effort{1'000'000, 10'000'000, rounds};
  try {
    Report report;
    report.print_header();
    bool found = only.empty();
    for (const auto& [name, measure] : kSections) {
      if (!only.empty() && only != name) continue;
      found = true;
      measure(report, effort);
    }
    if (!found) {
      fmt::print(stderr, "ifd_bench: --only {}: no such section\n", only);
      return 2;
    }
    if (!json.empty()) ifd::write_file_atomically(json, report.json());
    return report.all_met() ? 0 : 4;
  } catch (const std::exception& error) {
    fmt::print(stderr, "ifd_bench: {}\n", error.what());
    return 1;
  }
}
