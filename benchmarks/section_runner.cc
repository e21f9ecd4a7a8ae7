#include "benchmarks/section_runner.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "ifd/data/file_bytes.h"

namespace ifd::benchmark {
namespace {

// Of all programs.
constexpr std::array<const char*, 15> kSectionNames{
    "start-up",  "reading",   "margins",       "curves",   "routing",
    "capacity",  "bootstrap", "certifying",    "rejector", "sharing",
    "observing", "libtorch",  "training-step", "heads",    "python"};

}  // namespace

int run_sections(const char* program, std::span<const Section> sections, int argc, char** argv) {
  CLI::App app("Measures ifd. Every comparison interleaves the two things it compares.");
  app.name(program);
  bool quick = false;
  std::string json;
  std::string only;
  std::size_t rounds = 7;
  bool append = false;
  app.add_flag("--quick", quick, "Small inputs: seconds instead of minutes");
  app.add_option("--json", json, "Also write the rows to this file");
  app.add_option("--rounds", rounds, "Rounds of each comparison")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--only", only, "One section; nothing is run if it is another program's")
      ->check(CLI::IsMember(std::vector<std::string>(kSectionNames.begin(), kSectionNames.end())));
  app.add_flag("--append", append, "Keep the rows that the file of --json has");
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& done) {
    return app.exit(done);
  } catch (const CLI::ParseError& error) {
    app.exit(error);
    return 2;
  }
  const Effort effort =
      quick ? Effort{50'000, 100'000, rounds} : Effort{1'000'000, 10'000'000, rounds};
  try {
    Report report;
    bool begun = false;
    for (const Section& section : sections) {
      if (!only.empty() && only != section.name) continue;
      if (!begun) report.print_header();
      begun = true;
      section.measure(report, effort);
    }
    if (!json.empty()) {
      write_file_atomically(json, report.json(append ? read_file(json) : std::string()));
    }
    return report.all_met() ? 0 : 4;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", program, error.what());
    return 1;
  }
}

}  // namespace ifd::benchmark
