#include "experiments/report/names_section.h"

#include <set>

#include "experiments/claims/wording.h"

namespace ifd::experiments {

void write_names(Document& document, const Summary& summary) {
  document.section("Names and measures", "names");
  document.paragraph(
      "AURSAC is the accuracy of model and experts together, averaged over all deferral budgets "
      "from 0 to 1; AURDAC the accuracy of the experts on what they are given. Seen experts are "
      "those of the training; ID experts have the same specialties and contexts of their own; OOD "
      "experts have the other classes as specialties. Under the protocol 'population' everybody is "
      "drawn from a population, with skill and half of the luck of their own; under 'paper' ID "
      "experts are right on the same cases as the seen ones. Pictures and the long tables are on "
      "the page that a run writes, report.html, and in its results.csv.");
  std::set<MethodName> names;
  for (const auto& [cell, values] : summary.cells()) names.insert(cell.method);
  Table table{"Methods", {{"name"}, {"what it is"}}, {}};
  for (const MethodName& name : in_report_order({names.begin(), names.end()})) {
    const std::string meaning = method_meaning(name);
    if (!meaning.empty()) table.rows.push_back({name.text(), meaning});
  }
  document.table(std::move(table));
}

}  // namespace ifd::experiments
