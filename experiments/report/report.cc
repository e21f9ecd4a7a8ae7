#include "experiments/report/report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/claims/published.h"
#include "experiments/claims/wording.h"
#include "experiments/report/latex_table.h"
#include "experiments/report/sections.h"

namespace ifd::experiments {
namespace {

using nlohmann::ordered_json;

ordered_json number(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

// The run, its claims and the mean of every cell; single cohorts are in results.csv.
std::string results_json(const StudyRun& run, const Summary& summary,
                         const std::vector<Claim>& claims, const Recommendation& recommended) {
  ordered_json data = ordered_json::array();
  for (const DataSource& source : run.data) {
    data.push_back(
        {{"name", source.name}, {"description", source.description}, {"hash", source.hash}});
  }
  ordered_json jobs = ordered_json::array();
  for (const JobRecord& job : run.jobs) {
    ordered_json entry = {{"name", job.name}, {"seconds", job.seconds}};
    if (!job.failure.empty()) entry["failure"] = job.failure;
    jobs.push_back(std::move(entry));
  }
  ordered_json checked = ordered_json::array();
  for (const Claim& claim : claims) {
    ordered_json findings = ordered_json::array();
    for (const Finding& finding : claim.findings) {
      findings.push_back({{"where", finding.where},
                          {"numbers", finding.numbers},
                          {"value", number(finding.value)},
                          {"holds", finding.holds},
                          {"interval_includes_bound", finding.open}});
    }
    checked.push_back({{"id", claim.id},
                       {"text", claim.text},
                       {"source", claim.source == Claim::Source::kPaper ? "paper" : "ours"},
                       {"verdict", verdict_text(claim)},
                       {"findings", findings}});
  }
  ordered_json cells = ordered_json::array();
  for (const auto& [cell, values] : summary.cells()) {
    const Mean mean = *summary.mean(cell);
    ordered_json entry = {{"experiment", cell.experiment},
                          {"data", cell.data},
                          {"experts", cell.experts},
                          {"group", cell.group},
                          {"method", cell.method},
                          {"setting", cell.setting},
                          {"scale", cell.scale},
                          {"measure", cell.measure},
                          {"x", cell.x},
                          {"mean", mean.value},
                          {"std", number(mean.deviation)},
                          {"cohorts", mean.count}};
    if (const auto theirs = published(cell)) {
      entry["published"] = {{"mean", theirs->mean}, {"std", theirs->deviation}};
    }
    cells.push_back(std::move(entry));
  }
  return ordered_json{{"command", run.command},
                      {"version", run.version},
                      {"code_version", run.code_version},
                      {"hardware", run.hardware},
                      {"date", run.date},
                      {"seed", run.seed},
                      {"wall_seconds", run.wall_seconds},
                      {"selected", run.selected},
                      {"data", data},
                      {"absent", run.absent},
                      {"claims", checked},
                      {"recommendation",
                       {{"policy", recommended.policy},
                        {"training", training_of(recommended.policy)},
                        {"scale", recommended.scale},
                        {"enough_answers", number(recommended.enough_answers)}}},
                      {"jobs", jobs},
                      {"cells", cells}}
             .dump(1) +
         "\n";
}

std::string lead_of(const StudyRun& run, const std::vector<Claim>& claims) {
  std::size_t measured = 0, hold = 0;
  for (const Claim& claim : claims) {
    measured += claim.verdict() != Claim::Verdict::kNotMeasured ? 1 : 0;
    hold += claim.verdict() == Claim::Verdict::kHolds ? 1 : 0;
  }
  std::string data;
  for (const DataSource& source : run.data) {
    data += (data.empty() ? "" : ", ") + data_title(source.name);
  }
  return fmt::format(
      "The experiments of \"Identity-Free Deferral For Unseen Experts\", run again{}{}: of {} "
      "claims measured, {} hold everywhere.",
      data.empty() ? "" : " on ", data, measured, hold);
}

}  // namespace

std::vector<ResultRow> rows_of(const StudyRun& run) {
  std::vector<ResultRow> rows;
  for (const JobResult& result : run.results) {
    rows.insert(rows.end(), result.rows.begin(), result.rows.end());
  }
  return rows;
}

std::vector<NamedFile> study_report(const StudyRun& run) {
  const std::vector<ResultRow> rows = rows_of(run);
  const Summary summary(rows);
  const StudyView view{run, summary};
  const std::vector<Claim> claims = check_claims(summary);
  const Recommendation recommended = recommend(summary);

  StudyDocument document("Who should answer? The paper, reproduced", lead_of(run, claims));
  write_claims(document, claims);
  write_recommendation(document, recommended);
  write_contradictions(document, claims);
  write_methods(document, view);
  write_toy(document, view);
  write_table1(document, view);
  write_imagenet16h(document, view);
  write_ablation(document, view);
  write_context(document, view);
  write_priors(document, view);
  write_invariance(document, view);
  write_beyond(document, view);
  write_provenance(document, view);

  std::vector<NamedFile> files = {
      {"report.html", document.html()},
      {"results.md", document.markdown()},
      {"results.csv", to_csv(rows)},
      {"results.json", results_json(run, summary, claims, recommended)}};
  if (std::string latex = table1_latex(summary); !latex.empty()) {
    files.emplace_back("table1.tex", std::move(latex));
  }
  for (NamedFile& figure : document.figures()) files.push_back(std::move(figure));
  return files;
}

}  // namespace ifd::experiments
