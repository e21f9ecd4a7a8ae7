#include "experiments/result/job_result.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "ifd/data/file_bytes.h"
#include "ifd/data/json_text.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

using nlohmann::ordered_json;

// A list: the labels, then x, cohort and value, and where there are replicates a list of them, each
// as a number of steps.
ordered_json row_json(const ResultRow& row) {
  ordered_json json = ordered_json::array();
  each_label(row, [&](const char*, const auto& label) { json.push_back(label.text()); });
  json.push_back(row.x);
  json.push_back(row.cohort);
  json.push_back(row.value);
  if (row.replicates.empty()) return json;
  ordered_json steps = ordered_json::array();
  for (const double value : row.replicates) steps.push_back(std::llround(value * kReplicateSteps));
  json.push_back(std::move(steps));
  return json;
}

int small_number(const JsonValue& json) {
  const std::int64_t found = json.integer();
  if (found < std::numeric_limits<int>::min() || found > std::numeric_limits<int>::max()) {
    json.refuse(fmt::format("is {}; expected a smaller number", found));
  }
  return static_cast<int>(found);
}

ResultRow row_from(const JsonValue& json) {
  ResultRow row;
  std::size_t at = 0;
  each_label(row, [&]<class OfColumn>(const char*, Label<OfColumn>& label) {
    label = Label<OfColumn>(json.at(at++).text());
  });
  row.x = json.at(at++).number();
  row.cohort = small_number(json.at(at++));
  row.value = json.at(at++).number();
  const std::vector<JsonValue> all = json.items();
  if (all.size() == at) return row;
  for (const JsonValue& steps : all[at].items()) {
    row.replicates.push_back(small_number(steps) / kReplicateSteps);
  }
  return row;
}

JobResult result_of(const JsonValue& json) {
  JobResult read;
  read.began = json.at("began").number();
  read.seconds = json.at("seconds").number();
  read.processor_seconds = json.at("processor_seconds").number();
  for (const JsonValue& row : json.at("rows").items()) read.rows.push_back(row_from(row));
  for (const JsonValue& p : json.at("points").items()) {
    read.points.push_back({p.at(0).text(), p.at(1).number(), p.at(2).number(),
                           small_number(p.at(3)), p.at(4).boolean()});
  }
  return read;
}

}  // namespace

std::string to_json(const JobResult& result, const std::string& job, const std::string& key) {
  ordered_json rows = ordered_json::array();
  for (const ResultRow& row : result.rows) rows.push_back(row_json(row));
  ordered_json points = ordered_json::array();
  for (const ResultPoint& p : result.points) {
    points.push_back({p.panel, p.x, p.y, p.label, p.deferred});
  }
  return json_text(ordered_json{{"job", job},
                                {"key", key},
                                {"began", result.began},
                                {"seconds", result.seconds},
                                {"processor_seconds", result.processor_seconds},
                                {"rows", rows},
                                {"points", points}}) +
         "\n";
}

JobResult result_from_json(const std::string& json) {
  return result_of(JsonValue::parse(json, "the result of a job"));
}

std::optional<JobResult> read_result(const std::filesystem::path& path, const std::string& key) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const JsonValue json = JsonValue::parse(read_file(path), path.string() + ": the result");
  if (json.at("key").text() != key) return std::nullopt;
  return result_of(json);
}

}  // namespace ifd::experiments
