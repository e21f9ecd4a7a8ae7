#include "experiments/report/names_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "experiments/claims/wording.h"
#include "experiments/report/section.h"

namespace ifd::experiments {
namespace {

// "Blood Cells has 3 (resnet-small, right on 97.6 % of the test cases; ...)"
std::string who_sees_what(const RunRecord& run) {
  std::vector<DataName> names;
  for (const DataSource& source : run.data) {
    if (source.in_turn && std::ranges::count(names, source.name) == 0) names.push_back(source.name);
  }
  std::string text;
  for (const DataName& name : names) {
    std::string descriptions;
    std::size_t count = 0;
    for (const DataSource& source : run.data) {
      if (!source.in_turn || source.name != name) continue;
      descriptions += (count++ == 0 ? "" : "; ") + source.description;
    }
    text += fmt::format("{}{} has {} ({})", text.empty() ? "" : ", ", data_title(name), count,
                        descriptions);
  }
  return text.empty() ? "" : " Cohorts take the classifiers of a data set in turn: " + text + ".";
}

}  // namespace

void write_names(Document& document, const RunRecord& run, const Summary& summary) {
  document.section("Names and measures", "names");
  document.paragraph(
      "AURSAC is the accuracy of model and experts together, averaged over all deferral budgets "
      "from 0 to 1; AURDAC the accuracy of the experts on what they are given, averaged over the "
      "budgets likewise. Seen experts are those of the training; ID experts have the same "
      "specialties and contexts of their own; OOD experts have the other classes as specialties. "
      "Under the protocol 'population' everybody is drawn from a population, with skill and half "
      "of the luck of their own; under 'paper' ID experts are right on the same cases as the seen "
      "ones." +
      who_sees_what(run) +
      " More pictures and the long tables are on the page that a run writes, report.html, and in "
      "its results.csv.");
  std::set<MethodName> names;
  for (const auto& [cell, values] : summary.cells()) names.insert(cell.method);
  Table table{"Methods", {{"name"}, {"what it is"}}, {}};
  std::vector<Words> in_a_row;
  for (const MethodName& name : in_report_order({names.begin(), names.end()})) {
    const std::string meaning = method_meaning(name);
    if (meaning.empty()) continue;
    table.rows.push_back({name.text(), meaning});
    if (!in_a_row.empty()) in_a_row.push_back(plain(" "));
    in_a_row.push_back(inline_code(name.text()));
    in_a_row.push_back(plain(": " + meaning + "."));
  }
  document.table(std::move(table), Document::Reach::kPageOnly);
  if (!in_a_row.empty()) {
    document.paragraph(std::move(in_a_row), Document::Reach::kSummaryOnly);
  }
}

}  // namespace ifd::experiments
