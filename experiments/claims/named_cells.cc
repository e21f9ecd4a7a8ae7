#include "experiments/claims/named_cells.h"

#include <fmt/format.h>

#include <utility>

#include "experiments/claims/wording.h"

namespace ifd::experiments {

Cell area(std::string data, std::string experts, std::string group, std::string method,
          std::string measure) {
  Cell cell;
  cell.experiment = "table1";
  cell.data = std::move(data);
  cell.experts = std::move(experts);
  cell.group = std::move(group);
  cell.method = std::move(method);
  cell.scale = "probability";
  cell.measure = std::move(measure);
  return cell;
}

std::vector<std::string> table1_data(const Summary& summary) {
  CellFilter table1;
  table1.experiment = "table1";
  return data_in_report_order(summary.distinct(table1, &Cell::data));
}

Cell people_area(std::string experts, std::string group, std::string method, int noise) {
  Cell cell = area("imagenet16h", std::move(experts), std::move(group), std::move(method));
  cell.experiment = "imagenet16h";
  cell.setting = fmt::format("noise={}", noise);
  return cell;
}

Cell people_cell(std::string measure, std::string setting) {
  Cell cell;
  cell.experiment = cell.data = "imagenet16h";
  cell.method = "people";
  cell.setting = std::move(setting);
  cell.measure = std::move(measure);
  return cell;
}

}  // namespace ifd::experiments
