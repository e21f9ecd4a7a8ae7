// The cells that more than one claim or part of the report reads.
#pragma once

#include <string>
#include <vector>

#include "experiments/claims/summary.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {

// Of Table 1, on the scale of probabilities.
Cell area(DataName data, ExpertsName experts, GroupName group, MethodName method,
          MeasureName measure = kAursac);
// How often the classifier alone is right where Table 1 was measured.
Cell classifier_alone(DataName data, ExpertsName experts, GroupName group);
// How many answers of experts a method of Table 1 used.
Cell answers_used(DataName data, ExpertsName experts, MethodName method);
// The data sets of Table 1 in the order of the report.
std::vector<DataName> table1_data(const Summary& summary);

// The noise levels of ImageNet-16H that the paper reports.
inline constexpr int kReportedNoises[] = {95, 110, 125};
// One of them, with the classifier as it is.
bool is_reported_noise(const Setting& setting);
// AURSAC with people on duty, and what was measured of the people themselves.
Cell people_area(ExpertsName experts, GroupName group, MethodName method, int noise,
                 GivenClassifier given = GivenClassifier::kRaw);
// The groups of people of ImageNet-16H whom no policy met in training: in the paper's protocol the
// ID people are those of the training.
std::vector<GroupName> unseen_people(const Summary& summary);
// Whether the ID people are those of the training, as in the paper, or others: a sentence.
std::string who_id_people_are(const Summary& summary);
Cell people_cell(MeasureName measure, Setting setting = {});

// How the deferrals on the rings spread over the classes.
Cell share_in_class(MethodName method, GroupName group, Setting setting, int of_class);

}  // namespace ifd::experiments
