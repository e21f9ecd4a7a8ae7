#include "experiments/claims/named_cells.h"

#include <algorithm>
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

bool is_reported_noise(const Setting& setting) {
  return std::ranges::any_of(kReportedNoises,
                             [&](int noise) { return setting == at_noise(noise); });
}

Cell people_area(ExpertsName experts, GroupName group, MethodName method, int noise,
                 GivenClassifier given) {
  return {.experiment = kImageNet16H,
          .data = kImageNet16HData,
          .experts = std::move(experts),
          .group = std::move(group),
          .method = std::move(method),
          .setting = at_noise(noise, given),
          .scale = kProbability,
          .measure = kAursac};
}

std::vector<GroupName> unseen_people(const Summary& summary) {
  const bool others_train = summary.has({.experiment = kImageNet16H, .group = kSeen});
  return others_train ? std::vector{kId, kOod} : std::vector{kOod};
}

std::string who_id_people_are(const Summary& summary) {
  if (unseen_people(summary).size() > 1) {
    return "Nobody was trained on the ID people: they are the other two of the four, one of each "
           "group, and the people of the training are called seen. The paper's ID people are those "
           "of the training, so its numbers stand beside seen as well. Where all four train, "
           "nobody is left to be ID.";
  }
  return "The ID people are the very people of the training, as in the paper.";
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
