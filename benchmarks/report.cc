#include "benchmarks/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "ifd/data/json_text.h"

namespace ifd::benchmark {
namespace {

constexpr const char* kLine = "{:<51} | {:>20} | {:>20} | {:>22} | {:>22} | {}\n";

std::string show_ratio(const Row& row) {
  if (!row.ratio) return "";
  if (!row.ratio_low || !row.ratio_high) return fmt::format("{:.3g}", *row.ratio);
  return fmt::format("{:.3g} ({:.3g}..{:.3g})", *row.ratio, *row.ratio_low, *row.ratio_high);
}

std::string verdict(const Row& row) {
  if (!row.target) return "shown";
  return row.target->met ? "met" : "MISSED";
}

}  // namespace

Row row_of(std::string what, const Comparison& comparison) {
  return {std::move(what),  show_seconds(comparison.ours), show_seconds(comparison.reference),
          comparison.ratio, comparison.ratio_low,          comparison.ratio_high,
          std::nullopt};
}

Row speed_row_of(std::string what, const Comparison& comparison, std::optional<double> least) {
  Row row = row_of(std::move(what), comparison);
  row.ratio = 1 / comparison.ratio;
  row.ratio_low = 1 / comparison.ratio_high;
  row.ratio_high = 1 / comparison.ratio_low;
  if (least) row.target = Target{fmt::format("times faster >= {}", *least), *row.ratio >= *least};
  return row;
}

std::string show_seconds(double value) {
  if (value < 1e-3) return fmt::format("{:.3g} us", value * 1e6);
  if (value < 1) return fmt::format("{:.3g} ms", value * 1e3);
  return fmt::format("{:.3g} s", value);
}

std::string show_bytes(double value) { return fmt::format("{:.4g} MB", value / 1e6); }

void Report::print_header() const {
  fmt::print(kLine, "what", "ours", "reference", "ratio (quartiles)", "target", "verdict");
  fmt::print("{:-^155}\n", "");
  std::fflush(stdout);
}

void Report::add(Row row) {
  fmt::print(kLine, row.what, row.ours, row.reference, show_ratio(row),
             row.target ? row.target->text : "", verdict(row));
  std::fflush(stdout);
  rows_.push_back(std::move(row));
}

void Report::note(const std::string& text) {
  fmt::print("  # {}\n", text);
  std::fflush(stdout);
  notes_.push_back(text);
}

bool Report::all_met() const {
  return std::all_of(rows_.begin(), rows_.end(),
                     [](const Row& row) { return !row.target || row.target->met; });
}

std::string Report::json(const std::string& before) const {
  const auto number = [](const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
  };
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  nlohmann::ordered_json notes = nlohmann::ordered_json::array();
  if (!before.empty()) {
    const JsonValue earlier = JsonValue::parse(before, "the earlier report");
    rows = earlier.at("rows").to_json();
    notes = earlier.at("notes").to_json();
  }
  for (const std::string& note : notes_) notes.push_back(note);
  for (const Row& row : rows_) {
    nlohmann::ordered_json entry{{"what", row.what},
                                 {"ours", row.ours},
                                 {"reference", row.reference},
                                 {"ratio", number(row.ratio)},
                                 {"ratio_low", number(row.ratio_low)},
                                 {"ratio_high", number(row.ratio_high)},
                                 {"target", nullptr},
                                 {"verdict", verdict(row)}};
    if (row.target) entry["target"] = row.target->text;
    rows.push_back(std::move(entry));
  }
  return nlohmann::ordered_json{{"rows", rows}, {"notes", notes}}.dump(2) + "\n";
}

}  // namespace ifd::benchmark
