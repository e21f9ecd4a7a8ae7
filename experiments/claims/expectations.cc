#include "experiments/claims/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "experiments/result/labels.h"
#include "ifd/data/json_text.h"
#include "ifd/data/utf8.h"
#include "ifd/error.h"

namespace ifd::experiments {
namespace {

using nlohmann::ordered_json;

ordered_json cell_json(const Cell& cell) {
  ordered_json json = ordered_json::object();
  each_label(cell, [&](const char* column, const auto& label) {
    if (!label.empty()) json[column] = label.text();
  });
  if (cell.x != 0) json["x"] = cell.x;
  return json;
}

double number_of(const JsonValue& json, const std::string& key, const std::string& place) {
  const auto found = json.find(key);
  if (!found || !found->is_number()) {
    throw bad_input(fmt::format("{}: '{}' is missing or not a number", place, key));
  }
  return found->number();
}

// Whether there is such a column.
bool set_label(Cell& cell, const std::string& key, const JsonValue& value,
               const std::string& place) {
  bool found = false;
  each_label(cell, [&]<class OfColumn>(const char* column, Label<OfColumn>& label) {
    if (key != column) return;
    if (!value.is_text()) throw bad_input(fmt::format("{}: '{}' is not a text", place, key));
    label = Label<OfColumn>(value.text());
    found = true;
  });
  return found;
}

// `others` are the keys that belong to the expectation rather than to its cell.
Cell cell_from(const JsonValue& json, const std::set<std::string>& others,
               const std::string& place) {
  if (!json.is_object()) throw bad_input(place + ": expected an object with columns of a row");
  Cell cell;
  for (const auto& [key, value] : json.members()) {
    if (others.contains(key)) continue;
    if (key == "x") {
      cell.x = number_of(json, "x", place);
      continue;
    }
    if (!set_label(cell, key, value, place)) {
      throw bad_input(fmt::format(
          "{}: '{}' is not a column; expected experiment, data, experts, group, method, setting, "
          "scale, measure or x",
          place, excerpt(key)));
    }
  }
  if (cell.experiment.empty() || cell.measure.empty()) {
    throw bad_input(place + ": 'experiment' or 'measure' is missing");
  }
  return cell;
}

Band band_from(const JsonValue& entry, const std::string& place) {
  Band band{cell_from(entry, {"low", "high"}, place), number_of(entry, "low", place),
            number_of(entry, "high", place)};
  if (band.low > band.high) {
    throw bad_input(fmt::format("{}: low {} is above high {}", place, band.low, band.high));
  }
  return band;
}

Order order_from(const JsonValue& entry, const std::string& place) {
  if (!entry.is_object() || !entry.find("upper") || !entry.find("lower")) {
    throw bad_input(place + ": expected \"upper\", \"lower\" and maybe \"tolerance\"");
  }
  for (const auto& [key, value] : entry.members()) {
    if (key == "upper" || key == "lower" || key == "tolerance") continue;
    throw bad_input(
        fmt::format("{}: '{}'; expected upper, lower or tolerance", place, excerpt(key)));
  }
  return {cell_from(entry.at("upper"), {}, place + ", upper"),
          cell_from(entry.at("lower"), {}, place + ", lower"),
          entry.find("tolerance") ? number_of(entry, "tolerance", place) : 0};
}

// All that tables show, and nothing else: not how long a training took, not the ends of intervals.
bool worth_a_band(const Cell& cell) {
  // Of renamings the first: the others are more of the same.
  if (cell.experiment == kInvariance) return cell.x == 1;
  // Of curves what tables tell of them: the budgets of a practitioner.
  if (cell.measure == kSystemAccuracy && cell.x != .05 && cell.x != .1 && cell.x != .2)
    return false;
  // Of scorers the means over pairs, not each pair.
  if (cell.data == kDodhData && cell.group != kEverybody) return false;
  static const std::set<MeasureName> kCompared = {kAursac, kAursacTo10, kAursacTo30,
                                                  kSystemAccuracy};
  for (const MeasureName& measure : kCompared) {
    if (cell.measure == minus_plug_in(measure) || cell.measure == minus_ifd_peak(measure)) {
      return true;
    }
  }
  static const std::set<MeasureName> kShown = {kAursac,
                                               kAursacTo10,
                                               kAursacTo30,
                                               kAurdac,
                                               kModelAlone,
                                               kSystemAccuracy,
                                               kAccuracy,
                                               kLogLoss,
                                               kCalibrationError,
                                               kAnnotations,
                                               kMeanAbsoluteError,
                                               kMeanConfidence,
                                               kPromisedMinusKept,
                                               kPromisedMinusKeptByAll,
                                               kFingerprintCorrelation,
                                               kPeopleCount,
                                               kPeopleDropped,
                                               kPeopleAccuracy,
                                               kModelAccuracy,
                                               kAccuracyOnSpecialty,
                                               kAccuracyElsewhere,
                                               kShareOfClassDeferred,
                                               kShareOfDeferredInClass};
  return kShown.contains(cell.measure);
}

// Where nothing was trained and data is given or generated, only rounding moves a number.
constexpr double kRoundingBand = 1e-6;
// What else was trained may move by so many standard errors: a classifier that was trained on
// another processor rounds otherwise, and its policies are other policies.
constexpr double kErrorsInABand = 3;
// AURDAC rests on who is chosen for the surest deferrals, a few cases: of 4,020 numbers of the
// study one left its three errors under another kernel of OpenBLAS, an AURDAC that moved by 3.6.
// Who is rerouted by a renaming rests on the few cases around a threshold.
constexpr double kErrorsInABandOfFewCases = 4;
constexpr double kNarrowestBand = .0005;
// The error of fewer cohorts says too little, and short trainings round to other policies.
constexpr std::size_t kCohortsForAnError = 3;

bool nothing_trained(const Cell& cell) {
  const std::string& method = cell.method.text();
  const bool trained =
      method.starts_with("ifd-") || method.starts_with("pop-") || cell.method == kMultiExpert;
  return !trained &&
         (cell.data == kDodhData || cell.data == kImageNet16HData || cell.data == kGeneratedData);
}

// The same short trainings with another kernel of OpenBLAS moved AURDAC by up to .06, shares
// rerouted by .0525, and areas over all cases by less than .05.
constexpr double kSlackOfFewCases = 3;

// Repeats of a training for scorers are draws of answers that one and the same training meets: how
// they vary says nothing about how another training would. Half its interval over recordings may
// say it, which is two of its standard errors.
double reach_over_recordings(const Summary& summary, const Cell& cell) {
  if (cell.experiment != kScorers) return 0;
  Cell low = cell, high = cell;
  low.measure = low_end(cell.measure);
  high.measure = high_end(cell.measure);
  const auto from = summary.mean(low), to = summary.mean(high);
  return from && to ? (to->value - from->value) / 2 : 0;
}

// Half the width of the band.
double reach_of_band(const Summary& summary, const Cell& cell, const Mean& mean, double slack) {
  if (nothing_trained(cell)) return kRoundingBand;
  const bool few_cases = cell.measure == kAurdac || cell.measure == kShareRerouted;
  if (few_cases) slack *= kSlackOfFewCases;
  const double errors = few_cases ? kErrorsInABandOfFewCases : kErrorsInABand;
  const double of_error = mean.error ? errors * *mean.error : 0;
  return std::max({of_error, reach_over_recordings(summary, cell),
                   mean.count < kCohortsForAnError ? slack : kNarrowestBand});
}

// Of renamings: that an identity-free policy does not move is law.
bool moves_nothing(const Summary& summary, const Cell& cell) {
  if (cell.experiment != kInvariance) return false;
  Cell largest = cell;
  largest.measure = kLargestMarginChange;
  const auto mean = summary.mean(largest);
  return mean && mean->value == 0;
}

// A gain that is not to be lost.
constexpr double kGainToKeep = .005;

void add_orders_of_answers(Expectations& proposed, const Summary& summary) {
  const CellFilter combined{.experiment = kCombined, .method = kPlugInCombined, .measure = kAursac};
  for (const Cell& upper : summary.cells(combined)) {
    if (!worth_a_band(upper)) continue;
    Cell lower = upper;
    lower.method = kPlugIn;
    const auto difference = summary.difference(upper, lower);
    if (difference && difference->mean.value > kGainToKeep) {
      proposed.orders.push_back({upper, lower, 0});
    }
  }
}

// The file needs no more digits than the narrowest band.
constexpr double kDigits = 1e7;
double rounded_down(double value) { return std::floor(value * kDigits) / kDigits; }
double rounded_up(double value) { return std::ceil(value * kDigits) / kDigits; }

}  // namespace

Expectations expectations_from_json(const std::string& text, const std::string& name) {
  const JsonValue json = JsonValue::parse(text, name + ": the text");
  if (!json.is_object()) {
    throw bad_input(name + ": not a JSON object; expected \"bands\" and \"orders\"");
  }
  for (const auto& [key, value] : json.members()) {
    if (key != "bands" && key != "orders") {
      throw bad_input(
          fmt::format("{}: '{}'; expected \"bands\" and \"orders\"", name, excerpt(key)));
    }
    if (!value.is_list()) throw bad_input(fmt::format("{}: '{}' is not a list", name, key));
  }
  Expectations expectations;
  const auto entries = [&](std::string_view key) {
    const auto found = json.find(key);
    return found ? found->items() : std::vector<JsonValue>();
  };
  for (const JsonValue& entry : entries("bands")) {
    expectations.bands.push_back(
        band_from(entry, fmt::format("{}: band {}", name, expectations.bands.size() + 1)));
  }
  for (const JsonValue& entry : entries("orders")) {
    expectations.orders.push_back(
        order_from(entry, fmt::format("{}: order {}", name, expectations.orders.size() + 1)));
  }
  if (expectations.bands.empty() && expectations.orders.empty()) {
    throw bad_input(name + ": expects nothing; expected one band or order at least");
  }
  return expectations;
}

std::string to_json(const Expectations& expectations) {
  // One line per expectation, so that a change of one shows as a change of one.
  std::string text = "{\n\"bands\": [";
  const char* separator = "\n";
  for (const Band& band : expectations.bands) {
    ordered_json json = cell_json(band.cell);
    json["low"] = band.low;
    json["high"] = band.high;
    text += separator + json_text(json);
    separator = ",\n";
  }
  text += "\n],\n\"orders\": [";
  separator = "\n";
  for (const Order& order : expectations.orders) {
    text += separator + json_text(ordered_json{{"upper", cell_json(order.upper)},
                                               {"lower", cell_json(order.lower)},
                                               {"tolerance", order.tolerance}});
    separator = ",\n";
  }
  return text + "\n]\n}\n";
}

Expectations without(Expectations expectations, const std::set<DataName>& data) {
  std::erase_if(expectations.bands,
                [&](const Band& band) { return data.contains(band.cell.data); });
  std::erase_if(expectations.orders, [&](const Order& order) {
    return data.contains(order.upper.data) || data.contains(order.lower.data);
  });
  return expectations;
}

std::vector<std::string> violations(const Summary& summary, const Expectations& expectations,
                                    const std::set<ExperimentName>& selected) {
  std::vector<std::string> lines;
  for (const Band& band : expectations.bands) {
    if (!selected.contains(band.cell.experiment)) continue;
    const auto mean = summary.mean(band.cell);
    if (!mean) {
      lines.push_back(fmt::format("{}: not measured; expected {} to {}", to_text(band.cell),
                                  band.low, band.high));
    } else if (!(mean->value >= band.low && mean->value <= band.high)) {
      lines.push_back(fmt::format("{}: {:.7f}; expected {} to {}", to_text(band.cell), mean->value,
                                  band.low, band.high));
    }
  }
  for (const Order& order : expectations.orders) {
    if (!selected.contains(order.upper.experiment) || !selected.contains(order.lower.experiment)) {
      continue;
    }
    const auto upper = summary.mean(order.upper);
    const auto lower = summary.mean(order.lower);
    if (!upper || !lower) {
      lines.push_back(fmt::format("{}: not measured; expected it beside {}",
                                  to_text(upper ? order.lower : order.upper),
                                  to_text(upper ? order.upper : order.lower)));
    } else if (!(upper->value >= lower->value - order.tolerance)) {
      lines.push_back(fmt::format(
          "{}: {:.4f}; expected at least {:.4f}, that is {} minus {}", to_text(order.upper),
          upper->value, lower->value - order.tolerance, to_text(order.lower), order.tolerance));
    }
  }
  return lines;
}

Expectations propose_expectations(const Summary& summary, double slack) {
  Expectations proposed;
  for (const auto& [cell, values] : summary.cells()) {
    if (!worth_a_band(cell)) continue;
    const Mean mean = *summary.mean(cell);
    if (moves_nothing(summary, cell)) {
      proposed.bands.push_back({cell, 0, 0});
      continue;
    }
    // How far a class-indexed policy moves at most is noise.
    if (cell.measure == kLargestMarginChange) continue;
    const double reach = reach_of_band(summary, cell, mean, slack);
    proposed.bands.push_back(
        {cell, rounded_down(mean.value - reach), rounded_up(mean.value + reach)});
  }
  for (const ExperimentName& experiment : {kTable1, kImageNet16H}) {
    const CellFilter ood{
        .experiment = experiment, .group = kOod, .scale = kProbability, .measure = kAursac};
    for (const Cell& lower : summary.cells(ood)) {
      if (lower.method != kPopQi && lower.method != kPopQc) continue;
      for (const MethodName& method : {kIfdPeak, kIfdResidual, kPlugIn}) {
        Cell upper = lower;
        upper.method = method;
        const auto difference = summary.difference(upper, lower);
        if (difference && difference->mean.value > kGainToKeep && difference->mean.interval &&
            difference->mean.interval->low > 0) {
          proposed.orders.push_back({upper, lower, 0});
        }
      }
    }
  }
  add_orders_of_answers(proposed, summary);
  return proposed;
}

std::vector<ResultRow> banded_means(const Summary& summary, const Expectations& expectations) {
  std::vector<ResultRow> rows;
  for (const Band& band : expectations.bands) {
    if (const auto mean = summary.mean(band.cell)) rows.push_back({band.cell, 0, mean->value});
  }
  return rows;
}

Proposal with_others_of(const Proposal& before, Proposal now,
                        const std::set<ExperimentName>& measured) {
  const auto add_others = [&](auto& all, const auto& old, auto order) {
    for (const auto& entry : old) {
      if (!measured.contains(order(entry).first.experiment)) all.push_back(entry);
    }
    std::ranges::stable_sort(all, {}, order);
  };
  add_others(now.expectations.bands, before.expectations.bands,
             [](const Band& band) { return std::pair(band.cell, 0); });
  add_others(now.expectations.orders, before.expectations.orders,
             [](const Order& order) { return std::pair(order.upper, order.lower); });
  add_others(now.means, before.means,
             [](const ResultRow& row) { return std::pair(static_cast<const Cell&>(row), 0); });
  return now;
}

}  // namespace ifd::experiments
