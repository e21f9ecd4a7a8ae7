// What calibrating the classifier gives plug-in: at home, by the cases that it is fitted on, and
// under a shift of the input.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/claims/summary.h"
#include "experiments/result/labels.h"

namespace ifd::experiments {

// The experts on whom calibrations were measured at home: cells of plug-in's area with the raw
// classifier; of all data sets or of one.
std::vector<Cell> homes(const Summary& summary, const std::optional<DataName>& data = {});

// What is measured at a home with another classifier. Quality and accuracy of the classifier alone
// are those of the method kModel.
Cell at_home(const Cell& home, const Setting& classifier, const MeasureName& measure,
             const MethodName& method = kPlugIn);

// The mean over homes, each cohort's its own; nothing where one of them was not measured.
std::optional<PairedDifference> mean_at(const Summary& summary, const std::vector<Cell>& homes,
                                        const Setting& classifier, const MeasureName& measure,
                                        const MethodName& method = kPlugIn);
// The mean over homes of what `upper` has more than `lower`.
std::optional<PairedDifference> change_at(const Summary& summary, const std::vector<Cell>& homes,
                                          const Setting& upper, const Setting& lower,
                                          const MeasureName& measure = kAursac,
                                          const MethodName& method = kPlugIn);

// Why a calibration on the context gains or loses what it does, step by step; the changes of the
// steps add up to that of the context against the raw classifier.
struct CalibrationStep {
  std::string suspect;
  Setting upper, lower;
};
std::vector<CalibrationStep> calibration_steps(GivenClassifier given);

// AURSAC of plug-in with a calibrated classifier minus that with the raw one, and its two parts:
// what the model's own answers gain, everybody in the order of the raw classifier, and what
// choosing cases and experts by the calibrated probabilities gains on top.
struct CalibrationGain {
  GivenClassifier given = GivenClassifier::kRaw;
  FittedOn on = FittedOn::kContext;
  std::optional<PairedDifference> whole, of_answers, of_deferral;
};
// Temperature and bias, fitted on the context and on all validation cases; those that were
// measured.
std::vector<CalibrationGain> gains_at_home(const Summary& summary);
// Two people of a group at a noise level.
struct PeoplePlace {
  GroupName group;
  int noise;
};
// ID and OOD at every noise level that is reported.
std::vector<PeoplePlace> people_places();
// Temperature and bias, fitted on the context, over those of the places that were measured.
std::vector<CalibrationGain> gains_under_shift(
    const Summary& summary, const std::vector<PeoplePlace>& places = people_places());

}  // namespace ifd::experiments
