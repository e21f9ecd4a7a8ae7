#include "experiments/claims/calibration_gains.h"

#include <fmt/format.h>

#include <functional>
#include <utility>

#include "experiments/claims/named_cells.h"
#include "experiments/claims/wording.h"

namespace ifd::experiments {
namespace {

// The cells of all places with a classifier.
using CellsWith = std::function<std::vector<Cell>(GivenClassifier given)>;

std::optional<PairedDifference> mean_change(const Summary& summary, const CellsWith& cells_with,
                                            GivenClassifier upper, GivenClassifier lower) {
  std::vector<Term> terms;
  const auto add = [&](const std::vector<Cell>& cells, double sign) {
    for (const Cell& cell : cells)
      terms.push_back({cell, sign / static_cast<double>(cells.size())});
  };
  add(cells_with(upper), 1);
  add(cells_with(lower), -1);
  return summary.sum(terms);
}

// A temperature changes no answer of the model.
CalibrationGain gain_of(const Summary& summary, const CellsWith& cells_with, GivenClassifier given,
                        FittedOn on) {
  const GivenClassifier answers =
      given == GivenClassifier::kBias ? GivenClassifier::kBiasForAnswers : GivenClassifier::kRaw;
  return {given, on, mean_change(summary, cells_with, given, GivenClassifier::kRaw),
          mean_change(summary, cells_with, answers, GivenClassifier::kRaw),
          mean_change(summary, cells_with, given, answers)};
}

constexpr GivenClassifier kCalibrated[] = {GivenClassifier::kTemperature, GivenClassifier::kBias};

}  // namespace

std::vector<Cell> homes(const Summary& summary, const std::optional<DataName>& data) {
  CellFilter filter{
      .experiment = kCalibration, .method = kPlugIn, .setting = kRaw, .measure = kAursac};
  std::vector<Cell> all;
  for (const DataName& name : data_in_report_order(summary.distinct(filter, &Cell::data))) {
    if (data && *data != name) continue;
    filter.data = name;
    for (const Cell& cell : summary.cells(filter)) all.push_back(cell);
  }
  return all;
}

Cell at_home(const Cell& home, const Setting& classifier, const MeasureName& measure,
             const MethodName& method) {
  Cell cell = home;
  cell.method = method;
  cell.setting = classifier;
  cell.measure = measure;
  if (method == kModel) cell.scale = {};
  return cell;
}

std::optional<PairedDifference> mean_at(const Summary& summary, const std::vector<Cell>& homes,
                                        const Setting& classifier, const MeasureName& measure,
                                        const MethodName& method) {
  std::vector<Term> terms;
  for (const Cell& home : homes) {
    terms.push_back(
        {at_home(home, classifier, measure, method), 1 / static_cast<double>(homes.size())});
  }
  return summary.sum(terms);
}

std::optional<PairedDifference> change_at(const Summary& summary, const std::vector<Cell>& homes,
                                          const Setting& upper, const Setting& lower,
                                          const MeasureName& measure, const MethodName& method) {
  std::vector<Term> terms;
  const double share = 1 / static_cast<double>(homes.size());
  for (const Cell& home : homes) {
    terms.push_back({at_home(home, upper, measure, method), share});
    terms.push_back({at_home(home, lower, measure, method), -share});
  }
  return summary.sum(terms);
}

std::vector<CalibrationStep> calibration_steps(GivenClassifier given) {
  const auto on = [&](FittedOn cases) { return fitted(given, cases); };
  return {
      {"the classifier was trained on the cases", on(FittedOn::kContext), on(FittedOn::kBalanced)},
      {"the classes are balanced", on(FittedOn::kBalanced), on(FittedOn::kNatural)},
      {"the cases are few", on(FittedOn::kNatural), on(FittedOn::kAll)},
      {"calibrating as such", on(FittedOn::kAll), kRaw}};
}

std::vector<CalibrationGain> gains_at_home(const Summary& summary) {
  std::vector<CalibrationGain> gains;
  const std::vector<Cell> places = homes(summary);
  for (const FittedOn on : {FittedOn::kContext, FittedOn::kAll}) {
    const CellsWith cells_with = [&places, on](GivenClassifier given) {
      std::vector<Cell> cells;
      for (const Cell& home : places) cells.push_back(at_home(home, fitted(given, on), kAursac));
      return cells;
    };
    for (const GivenClassifier given : kCalibrated) {
      gains.push_back(gain_of(summary, cells_with, given, on));
    }
  }
  std::erase_if(gains, [](const CalibrationGain& gain) { return !gain.whole; });
  return gains;
}

std::vector<PeoplePlace> people_places() {
  std::vector<PeoplePlace> all;
  for (const GroupName& group : {kId, kOod}) {
    for (const int noise : kReportedNoises) all.push_back({group, noise});
  }
  return all;
}

std::vector<CalibrationGain> gains_under_shift(const Summary& summary,
                                               const std::vector<PeoplePlace>& places) {
  const CellsWith cells_with = [&](GivenClassifier given) {
    std::vector<Cell> cells;
    for (const auto& [group, noise] : places) {
      if (!summary.mean(people_area(kTwoPeople, group, kPlugIn, noise))) continue;
      cells.push_back(people_area(kTwoPeople, group, kPlugIn, noise, given));
    }
    return cells;
  };
  std::vector<CalibrationGain> gains;
  for (const GivenClassifier given : kCalibrated) {
    gains.push_back(gain_of(summary, cells_with, given, FittedOn::kContext));
  }
  std::erase_if(gains, [](const CalibrationGain& gain) { return !gain.whole; });
  return gains;
}

}  // namespace ifd::experiments
