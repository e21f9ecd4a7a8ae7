#include "experiments/report/report.h"

#include <fmt/format.h>

#include <set>
#include <string>
#include <utility>

#include "experiments/claims/claims.h"
#include "experiments/claims/headline.h"
#include "experiments/claims/recommendation.h"
#include "experiments/claims/wording.h"
#include "experiments/report/claims_section.h"
#include "experiments/report/latex_table.h"
#include "experiments/report/minute_section.h"
#include "experiments/report/names_section.h"
#include "experiments/report/provenance_section.h"
#include "experiments/report/recommendation_section.h"
#include "experiments/report/result_csv.h"
#include "experiments/report/results_json.h"

namespace ifd::experiments {
namespace {

bool is_papers_protocol(const RunRecord& run) { return run.protocol.starts_with("paper"); }

std::string title_of(const RunRecord& run) {
  return is_papers_protocol(run)
             ? "Who should answer? The paper, reproduced"
             : "Who should answer? The paper's experiments, with experts from a population";
}

std::string lead_of(const RunRecord& run, const std::vector<Claim>& claims) {
  std::string data;
  std::set<DataName> named;  // one that two classifiers see is there twice
  for (const DataSource& source : run.data) {
    if (!named.insert(source.name).second) continue;
    data += (data.empty() ? "" : ", ") + data_title(source.name);
  }
  const ClaimCounts count = count_claims(claims);
  std::string text =
      fmt::format("The experiments of \"Identity-Free Deferral For Unseen Experts\", run again{}{}",
                  data.empty() ? "" : " on ", data);
  if (!run.protocol.empty()) {
    text += fmt::format(
        " under the protocol '{}' ({})", run.protocol,
        is_papers_protocol(run)
            ? "ID experts are right on the same cases as the seen ones"
            : "unseen experts are other people than the seen ones, which is not the paper's way");
  }
  return text +
         fmt::format(
             ": of {} claims measured, {} are shown everywhere and {} contradicted somewhere.",
             count.measured, count.shown, count.contradicted);
}

}  // namespace

std::vector<NamedFile> report_files(const RunRecord& run, const std::vector<Section>& sections) {
  const std::vector<ResultRow> rows = rows_of(run);
  const Summary summary(rows);
  const std::vector<Claim> claims = check_claims(summary);
  const Recommendation recommended = recommend(summary);

  Document document(title_of(run), lead_of(run, claims));
  write_minute(document, summary, headline(summary));
  write_names(document, run, summary);
  write_claims(document, claims);
  write_recommendation(document, recommended);
  for (const Section& section : sections) {
    section.write(document, {run, summary, section.experiment, section.title});
  }
  write_time(document, run);
  write_provenance(document, run, sections);

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
