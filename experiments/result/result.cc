#include "experiments/result/result.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "ifd/data/file_bytes.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

using nlohmann::ordered_json;

ordered_json row_json(const ResultRow& row) {
  return {row.experiment, row.data,    row.experts, row.group,  row.method, row.setting,
          row.scale,      row.measure, row.x,       row.cohort, row.value};
}

ResultRow row_from(const ordered_json& json) {
  ResultRow row;
  row.experiment = json.at(0);
  row.data = json.at(1);
  row.experts = json.at(2);
  row.group = json.at(3);
  row.method = json.at(4);
  row.setting = json.at(5);
  row.scale = json.at(6);
  row.measure = json.at(7);
  row.x = json.at(8);
  row.cohort = json.at(9);
  row.value = json.at(10);
  return row;
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

namespace {

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

std::string to_csv(const std::vector<ResultRow>& rows) {
  std::string out = "experiment,data,experts,group,method,setting,scale,measure,x,cohort,value\n";
  for (const ResultRow& r : rows) {
    out += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", r.experiment, r.data, r.experts,
                       r.group, r.method, r.setting, r.scale, r.measure, r.x, r.cohort, r.value);
  }
  return out;
}

}  // namespace ifd::experiments
