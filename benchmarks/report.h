// What the benchmarks found, as a table for people and as JSON for scripts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "benchmarks/interleaved.h"

namespace ifd::benchmark {

struct Target {
  std::string text;
  bool met;
};

struct Row {
  std::string what;
  std::string ours;
  std::string reference;
  std::optional<double> ratio;
  std::optional<double> ratio_low;  // quartiles over the rounds
  std::optional<double> ratio_high;
  std::optional<Target> target;  // none: shown, not judged
};

Row row_of(std::string what, const Comparison& comparison);
// The ratio turned over: how many times faster than the reference. The target, if any, is to be
// at least `least`.
Row speed_row_of(std::string what, const Comparison& comparison, std::optional<double> least);

std::string show_seconds(double value);
std::string show_bytes(double value);

class Report {
 public:
  // Prints the row at once, so that a long run shows what it does.
  void add(Row row);
  void note(const std::string& text);
  void print_header() const;
  bool all_met() const;
  // With the rows and notes of `before` first, which is the JSON of a report or empty.
  std::string json(const std::string& before = {}) const;

 private:
  std::vector<Row> rows_;
  std::vector<std::string> notes_;
};

}  // namespace ifd::benchmark
