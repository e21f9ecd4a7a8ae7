#include "experiments/claim_evidence.h"

#include <fmt/format.h>

#include "experiments/published.h"
#include "experiments/study_text.h"

namespace ifd::experiments {

Cell area(std::string data, std::string experts, std::string group, std::string method) {
  Cell cell;
  cell.experiment = "table1";
  cell.data = std::move(data);
  cell.experts = std::move(experts);
  cell.group = std::move(group);
  cell.method = std::move(method);
  cell.scale = "probability";
  cell.measure = "aursac";
  return cell;
}

Cell people_area(std::string setting, std::string group, std::string method) {
  Cell cell = area("imagenet16h", "2 people", std::move(group), std::move(method));
  cell.experiment = "imagenet16h";
  cell.setting = std::move(setting);
  return cell;
}

std::vector<std::string> table1_data(const Summary& summary) {
  CellFilter table1;
  table1.experiment = "table1";
  return data_in_report_order(summary.distinct(table1, &Cell::data));
}

void add(Claim& claim, std::string where, const std::optional<PairedDifference>& difference,
         Side side, double bound, const std::string& more) {
  if (!difference) return;
  const double value = difference->mean.value;
  Finding finding{std::move(where), difference_text(difference) + more,
                  side == Side::kAtLeast ? value >= bound : value <= bound};
  if (const auto& interval = difference->mean.interval) {
    finding.open = interval->low < bound && bound < interval->high;
  }
  finding.value = value;
  claim.findings.push_back(std::move(finding));
}

std::string published_difference(const Cell& a, const Cell& b) {
  const auto of_a = published(a);
  const auto of_b = published(b);
  if (!of_a || !of_b) return "";
  return fmt::format("; published {}", signed_number(of_a->mean - of_b->mean, 2));
}

}  // namespace ifd::experiments
