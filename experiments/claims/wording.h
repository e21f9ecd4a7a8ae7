// How claims and the report write numbers and names, and the order in which methods stand.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"

namespace ifd::experiments {

// "+0.043", "−0.050", "0.000".
std::string signed_number(double value, int digits = 3);
// "0.812 ± 0.010": mean and standard deviation over cohorts; "–" where nothing was measured.
std::string mean_text(const std::optional<Mean>& mean, int digits = 3);
// The same, in brackets for a reference, so that it is neither marked as best nor sorted among
// policies.
std::string mean_text_of(const MethodName& method, const std::optional<Mean>& mean);
// "+0.043 (+0.031 to +0.055), 10 of 10": difference, 95 % interval, cohorts won.
std::string difference_text(const std::optional<PairedDifference>& difference);
// "3 h 12 min", "95 s".
std::string duration_text(double seconds);

// Ours first, then the baselines, then the references; names that are not known come last.
std::vector<MethodName> in_report_order(std::vector<MethodName> methods);
// Blood Cells, HAM10000, Liver/Organ, then the others.
std::vector<DataName> data_in_report_order(std::vector<DataName> data);
// "ID" and "OOD"; other groups are called what they are.
std::string group_title(const GroupName& group);
// "Blood Cells" for "blood"; other names as they are.
std::string data_title(const DataName& data);
// "Variable" for "variable"; others as they are.
std::string experts_title(const ExpertsName& experts);
// A reference knows what no policy can (outcomes, true accuracies) or chooses at random.
bool is_reference(const MethodName& method);
// What a method is, in a few words.
std::string method_meaning(const MethodName& method);

}  // namespace ifd::experiments
