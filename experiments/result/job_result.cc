#include "experiments/result/job_result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

using nlohmann::ordered_json;

// A list: the labels, then x, cohort and value.
ordered_json row_json(const ResultRow& row) {
  ordered_json json = ordered_json::array();
  each_label(row, [&](const char*, const auto& label) { json.push_back(label.text()); });
  json.push_back(row.x);
  json.push_back(row.cohort);
  json.push_back(row.value);
  return json;
}

ResultRow row_from(const ordered_json& json) {
  ResultRow row;
  std::size_t at = 0;
  each_label(row, [&]<class OfColumn>(const char*, Label<OfColumn>& label) {
    label = Label<OfColumn>(json.at(at++).get<std::string>());
  });
  row.x = json.at(at++);
  row.cohort = json.at(at++);
  row.value = json.at(at);
  return row;
}

JobResult result_of(const ordered_json& json) {
  JobResult read;
  read.began = json.at("began");
  read.seconds = json.at("seconds");
  read.processor_seconds = json.at("processor_seconds");
  for (const auto& row : json.at("rows")) read.rows.push_back(row_from(row));
  for (const auto& p : json.at("points")) {
    read.points.push_back({p.at(0), p.at(1), p.at(2), p.at(3), p.at(4)});
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
  return ordered_json{{"job", job},
                      {"key", key},
                      {"began", result.began},
                      {"seconds", result.seconds},
                      {"processor_seconds", result.processor_seconds},
                      {"rows", rows},
                      {"points", points}}
             .dump() +
         "\n";
}

JobResult result_from_json(const std::string& json) {
  try {
    return result_of(ordered_json::parse(json));
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorKind::kCorruptFile, fmt::format("not a result of a job: {}", error.what()));
  }
}

bool read_result(const std::filesystem::path& path, const std::string& key, JobResult& result) {
  if (!std::filesystem::exists(path)) return false;
  try {
    const auto json = ordered_json::parse(read_file(path));
    if (json.at("key") != key) return false;
    result = result_of(json);
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

}  // namespace ifd::experiments
