#include "experiments/claims/published.h"

#include <array>
#include <string_view>

#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

// Hundredths, as printed: mean and standard deviation of AURSAC, then of AURDAC.
struct Printed {
  int sac, sac_deviation, dac, dac_deviation;
};

struct PrintedRow {
  std::string_view data, condition, group;
  Printed ifd, qc, qi;
  std::optional<Printed> multi;  // N/A for experts nobody has seen
};

// Table 1, top to bottom.
constexpr std::array<PrintedRow, 18> kPrintedTable1 = {{
    {"ham", "stable", "id", {86, 1, 88, 3}, {86, 2, 85, 2}, {86, 1, 87, 2}, Printed{85, 0, 84, 1}},
    {"ham", "stable", "ood", {86, 1, 86, 4}, {84, 2, 83, 2}, {84, 1, 83, 1}, {}},
    {"ham",
     "variable",
     "id",
     {80, 3, 74, 6},
     {78, 3, 70, 8},
     {78, 3, 69, 7},
     Printed{74, 1, 61, 3}},
    {"ham", "variable", "ood", {77, 4, 69, 9}, {73, 3, 61, 3}, {73, 3, 60, 5}, {}},
    {"blood",
     "stable",
     "id",
     {89, 1, 84, 3},
     {88, 1, 83, 1},
     {89, 1, 83, 1},
     Printed{87, 1, 81, 1}},
    {"blood", "stable", "ood", {89, 1, 85, 3}, {87, 1, 81, 2}, {88, 0, 80, 1}, {}},
    {"blood",
     "variable",
     "id",
     {81, 1, 73, 3},
     {78, 2, 62, 3},
     {77, 1, 59, 2},
     Printed{75, 1, 56, 1}},
    {"blood", "variable", "ood", {80, 1, 69, 3}, {74, 1, 54, 3}, {74, 1, 52, 2}, {}},
    {"organ",
     "stable",
     "id",
     {88, 1, 81, 2},
     {87, 1, 76, 1},
     {86, 1, 77, 1},
     Printed{86, 1, 76, 2}},
    {"organ", "stable", "ood", {88, 1, 81, 2}, {87, 1, 76, 2}, {86, 1, 77, 1}, {}},
    {"organ",
     "variable",
     "id",
     {77, 1, 63, 2},
     {69, 1, 44, 2},
     {69, 1, 44, 2},
     Printed{67, 1, 43, 1}},
    {"organ", "variable", "ood", {78, 1, 62, 4}, {68, 1, 41, 2}, {68, 0, 42, 1}, {}},
    {"imagenet16h",
     "noise=95",
     "id",
     {76, 1, 92, 1},
     {72, 2, 90, 3},
     {75, 1, 92, 2},
     Printed{66, 3, 90, 2}},
    {"imagenet16h", "noise=95", "ood", {76, 1, 91, 2}, {73, 2, 91, 1}, {74, 1, 89, 1}, {}},
    {"imagenet16h",
     "noise=110",
     "id",
     {72, 2, 85, 2},
     {68, 2, 81, 2},
     {69, 1, 81, 1},
     Printed{62, 3, 80, 3}},
    {"imagenet16h", "noise=110", "ood", {71, 2, 82, 2}, {67, 2, 80, 2}, {68, 1, 80, 3}, {}},
    {"imagenet16h",
     "noise=125",
     "id",
     {64, 2, 69, 4},
     {59, 1, 64, 3},
     {62, 1, 66, 3},
     Printed{54, 3, 63, 2}},
    {"imagenet16h", "noise=125", "ood", {66, 2, 74, 4}, {61, 2, 67, 2}, {63, 1, 68, 2}, {}},
}};

// Thousandths, as printed: mean and standard deviation.
struct AblationRow {
  std::string_view data, method;
  int sac, sac_deviation, dac, dac_deviation;
};

// AURDAC of the classifier, which never defers, is printed but means nothing: left out.
constexpr std::array<AblationRow, 12> kPrintedAblation = {{
    {"blood", "ifd-peak-lcb", 668, 29, 425, 44},
    {"blood", "ifd-peak-mean", 669, 27, 428, 40},
    {"blood", "ifd-peak-binary", 665, 28, 427, 44},
    {"blood", "model", 595, 25, -1, -1},
    {"ham", "ifd-peak-lcb", 641, 42, 349, 76},
    {"ham", "ifd-peak-mean", 639, 40, 346, 69},
    {"ham", "ifd-peak-binary", 638, 44, 343, 83},
    {"ham", "model", 603, 14, -1, -1},
    {"organ", "ifd-peak-lcb", 634, 18, 340, 31},
    {"organ", "ifd-peak-mean", 632, 21, 344, 45},
    {"organ", "ifd-peak-binary", 628, 27, 338, 50},
    {"organ", "model", 562, 18, -1, -1},
}};

std::optional<PublishedValue> pick(const MeasureName& measure, int sac, int sac_deviation, int dac,
                                   int dac_deviation, double unit) {
  if (measure == kAursac) return PublishedValue{sac / unit, sac_deviation / unit};
  if (measure == kAurdac && dac >= 0) return PublishedValue{dac / unit, dac_deviation / unit};
  return std::nullopt;
}

}  // namespace

std::optional<PublishedValue> published_table1(const DataName& data, const std::string& condition,
                                               const GroupName& group, const MethodName& method,
                                               const MeasureName& measure) {
  for (const PrintedRow& row : kPrintedTable1) {
    if (row.data != data.text() || row.condition != condition || row.group != group.text()) {
      continue;
    }
    std::optional<Printed> printed;
    if (method == kIfdPeak) printed = row.ifd;
    if (method == kPopQc) printed = row.qc;
    if (method == kPopQi) printed = row.qi;
    if (method == kMultiExpert) printed = row.multi;
    if (!printed) return std::nullopt;
    return pick(measure, printed->sac, printed->sac_deviation, printed->dac, printed->dac_deviation,
                100);
  }
  return std::nullopt;
}

std::optional<PublishedValue> published(const Cell& cell) {
  if (cell.scale != kProbability) return std::nullopt;
  if (cell.experiment == kTable1) {
    return published_table1(cell.data, cell.experts.text(), cell.group, cell.method, cell.measure);
  }
  if (cell.experiment == kImageNet16H && cell.experts == kTwoPeople) {
    // The paper's ID people are those of the training.
    const GroupName& group = cell.group == kSeen ? kId : cell.group;
    return published_table1(cell.data, cell.setting.text(), group, cell.method, cell.measure);
  }
  return std::nullopt;
}

std::optional<PublishedValue> published_ablation(const DataName& data, const MethodName& method,
                                                 const MeasureName& measure) {
  for (const AblationRow& row : kPrintedAblation) {
    if (row.data != data.text() || row.method != method.text()) continue;
    return pick(measure, row.sac, row.sac_deviation, row.dac, row.dac_deviation, 1000);
  }
  return std::nullopt;
}

std::optional<double> published_prior_threshold(double strength) {
  if (strength == 10) return 30;
  if (strength == 30) return 320;
  if (strength == 100) return 640;
  return std::nullopt;
}

std::optional<double> published_people_accuracy(int noise) {
  if (noise == 80) return .900;
  if (noise == 95) return .860;
  if (noise == 110) return .771;
  if (noise == 125) return .603;
  return std::nullopt;
}

std::optional<double> published_model_accuracy(int noise) {
  if (noise == 80) return .728;
  if (noise == 95) return .539;
  if (noise == 110) return .321;
  if (noise == 125) return .150;
  return std::nullopt;
}

}  // namespace ifd::experiments
