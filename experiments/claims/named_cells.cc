#include "experiments/claims/named_cells.h"

#include <utility>

#include "experiments/claims/wording.h"

namespace ifd::experiments {

Cell area(DataName data, ExpertsName experts, GroupName group, MethodName method,
          MeasureName measure) {
  return {.experiment = kTable1,
          .data = std::move(data),
          .experts = std::move(experts),
          .group = std::move(group),
          .method = std::move(method),
          .scale = kProbability,
          .measure = std::move(measure)};
}

Cell classifier_alone(DataName data, ExpertsName experts, GroupName group) {
  return {.experiment = kTable1,
          .data = std::move(data),
          .experts = std::move(experts),
          .group = std::move(group),
          .method = kModel,
          .measure = kAccuracy};
}

Cell answers_used(DataName data, ExpertsName experts, MethodName method) {
  return {.experiment = kTable1,
          .data = std::move(data),
          .experts = std::move(experts),
          .method = std::move(method),
          .measure = kAnnotations};
}

std::vector<DataName> table1_data(const Summary& summary) {
  return data_in_report_order(summary.distinct({.experiment = kTable1}, &Cell::data));
}

Cell people_area(ExpertsName experts, GroupName group, MethodName method, int noise) {
  return {.experiment = kImageNet16H,
          .data = kImageNet16HData,
          .experts = std::move(experts),
          .group = std::move(group),
          .method = std::move(method),
          .setting = at_noise(noise),
          .scale = kProbability,
          .measure = kAursac};
}

Cell people_cell(MeasureName measure, Setting setting) {
  return {.experiment = kImageNet16H,
          .data = kImageNet16HData,
          .method = kPeople,
          .setting = std::move(setting),
          .measure = std::move(measure)};
}

Cell share_in_class(MethodName method, GroupName group, Setting setting, int of_class) {
  return {.experiment = kToy,
          .data = kRingsData,
          .group = std::move(group),
          .method = std::move(method),
          .setting = std::move(setting),
          .scale = kProbability,
          .measure = kShareOfDeferredInClass,
          .x = static_cast<double>(of_class)};
}

}  // namespace ifd::experiments
