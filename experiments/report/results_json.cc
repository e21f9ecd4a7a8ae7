#include "experiments/report/results_json.h"

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "command_line/shell_command.h"
#include "experiments/claims/published.h"
#include "ifd/data/json_text.h"

namespace ifd::experiments {
namespace {

using nlohmann::ordered_json;

ordered_json number(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json data_json(const RunRecord& run) {
  ordered_json data = ordered_json::array();
  for (const DataSource& source : run.data) {
    data.push_back(
        {{"name", source.name.text()}, {"description", source.description}, {"hash", source.hash}});
  }
  return data;
}

ordered_json jobs_json(const RunRecord& run) {
  ordered_json jobs = ordered_json::array();
  for (const JobRecord& job : run.jobs) {
    ordered_json entry = {{"name", job.name}, {"seconds", job.seconds}};
    if (!job.failure.empty()) entry["failure"] = job.failure;
    jobs.push_back(std::move(entry));
  }
  return jobs;
}

ordered_json claims_json(const std::vector<Claim>& claims) {
  ordered_json checked = ordered_json::array();
  for (const Claim& claim : claims) {
    ordered_json findings = ordered_json::array();
    for (const Finding& finding : claim.findings) {
      findings.push_back({{"where", finding.where},
                          {"numbers", finding.numbers},
                          {"value", number(finding.value)},
                          {"outcome", outcome_text(finding.outcome)}});
    }
    checked.push_back({{"id", claim.id},
                       {"text", claim.text},
                       {"source", claim.source == Claim::Source::kPaper ? "paper" : "ours"},
                       {"formerly", claim.formerly},
                       {"by_construction", claim.by_construction},
                       {"verdict", verdict_text(claim)},
                       {"findings", findings}});
  }
  return checked;
}

ordered_json cells_json(const Summary& summary) {
  ordered_json cells = ordered_json::array();
  for (const auto& [cell, values] : summary.cells()) {
    const Mean mean = *summary.mean(cell);
    ordered_json entry = ordered_json::object();
    each_label(cell,
               [&entry](const char* column, const auto& label) { entry[column] = label.text(); });
    entry["x"] = cell.x;
    entry["mean"] = mean.value;
    entry["std"] = number(mean.deviation);
    entry["error"] = number(mean.error);
    entry["covers"] = mean.covers == Covers::kCohorts ? "cohorts" : "cohorts and cases";
    entry["cohorts"] = mean.count;
    if (const auto theirs = published(cell)) {
      entry["published"] = {{"mean", theirs->mean}, {"std", theirs->deviation}};
    }
    cells.push_back(std::move(entry));
  }
  return cells;
}

}  // namespace

std::string results_json(const RunRecord& run, const Summary& summary,
                         const std::vector<Claim>& claims, const Recommendation& recommended) {
  ordered_json selected = ordered_json::array();
  for (const ExperimentName& experiment : run.selected) selected.push_back(experiment.text());
  return json_text(ordered_json{{"schema", "ifd results 2"},
                                {"command", shell_command(run.command)},
                                {"version", run.version},
                                {"code_version", run.code_version},
                                {"hardware", run.hardware},
                                {"date", run.date},
                                {"seed", run.seed},
                                {"wall_seconds", run.wall_seconds},
                                {"selected", selected},
                                {"data", data_json(run)},
                                {"absent", run.absent},
                                {"claims", claims_json(claims)},
                                {"recommendation",
                                 {{"policy", recommended.policy.text()},
                                  {"training", training_of(recommended.policy)},
                                  {"scale", recommended.scale.text()},
                                  {"enough_answers", number(recommended.enough_answers)}}},
                                {"jobs", jobs_json(run)},
                                {"cells", cells_json(summary)}},
                   1) +
         "\n";
}

}  // namespace ifd::experiments
