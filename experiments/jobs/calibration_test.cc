#include "experiments/jobs/calibration.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "experiments/jobs/combined.h"
#include "experiments/jobs/generated_data_set.h"
#include "experiments/jobs/table1.h"
#include "experiments/jobs/workshop.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

std::map<ClassId, std::size_t> by_class(const Predictions& cases) {
  std::map<ClassId, std::size_t> count;
  for (const ClassId label : cases.labels()) ++count[label];
  return count;
}

// A data set whose classes are not equally frequent: of class k every (k + 1)-th case is left.
DataSet uneven_data_set() {
  DataSet data_set = generated_data_set(0);
  const auto thinned = [](const Predictions& cases) {
    std::vector<std::size_t> met(cases.classes().size(), 0), rows;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const std::size_t k = index(cases.label(i));
      if (met[k]++ % (k + 1) == 0) rows.push_back(i);
    }
    return cases.subset(rows);
  };
  data_set.training = thinned(data_set.training);
  data_set.validation = thinned(data_set.validation);
  return data_set;
}

class CalibrationCases : public testing::TestWithParam<std::uint64_t> {};

// Each step changes one thing: who was trained on the cases, the mixture of classes, their number.
TEST_P(CalibrationCases, StepsChangeOneThing) {
  const DataSet data_set = uneven_data_set();
  const CohortData data =
      make_cohort_data(data_set, Archetype::kVariable, {Protocol::kPopulation, GetParam()});
  const auto cases = [&](FittedOn on) {
    return cases_to_fit_on(on, data_set, data.ood(), GetParam());
  };
  const Predictions context = cases(FittedOn::kContext), balanced = cases(FittedOn::kBalanced);
  EXPECT_EQ(by_class(context), by_class(balanced));
  EXPECT_EQ(by_class(balanced).at(class_id(0)), kContextPerClass);
  const Predictions natural = cases(FittedOn::kNatural);
  EXPECT_EQ(natural.size(), balanced.size());
  EXPECT_GT(by_class(natural).at(class_id(0)), by_class(natural).at(class_id(5)));
  EXPECT_EQ(cases(FittedOn::kAll).size(), data_set.validation.size());
  const auto names = data_set.validation.case_names();
  const std::set<std::string> all(names.begin(), names.end());
  for (const std::string& name : balanced.case_names()) EXPECT_TRUE(all.contains(name));
  for (const std::string& name : natural.case_names()) EXPECT_TRUE(all.contains(name));
}

// Weighed cases have the frequencies of the training cases, to the rounding of 15 repeated cases.
TEST_P(CalibrationCases, WeightsGiveTheFrequenciesOfTheTraining) {
  const DataSet data_set = uneven_data_set();
  const CohortData data =
      make_cohort_data(data_set, Archetype::kVariable, {Protocol::kPopulation, GetParam()});
  const auto wanted = by_class(data_set.training);
  for (const FittedOn on : {FittedOn::kWeighedContext, FittedOn::kWeighedBalanced}) {
    const Predictions weighed = cases_to_fit_on(on, data_set, data.ood(), GetParam());
    for (const auto& [k, count] : by_class(weighed)) {
      EXPECT_NEAR(static_cast<double>(count) / static_cast<double>(weighed.size()),
                  static_cast<double>(wanted.at(k)) / static_cast<double>(data_set.training.size()),
                  .01);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, CalibrationCases, testing::Values(0, 1));

// Raw and with the temperature of the context it is the plug-in of the combined answers, which
// calls the same experts to the same cases; and a temperature changes no answer of the model.
TEST(Calibration, AgreesWithCombinedAnswers) {
  const DataSet data_set = generated_data_set(0);
  Effort effort = quick_effort();
  effort.cohorts = 1;
  const ScratchDirectory scratch;
  Workshop workshop(scratch / "cache", "code");
  std::map<std::pair<GroupName, Setting>, double> areas, alone;
  for (const ResultRow& row : calibration_jobs(data_set, effort).front().run(workshop).rows) {
    if (row.method != kPlugIn) continue;
    if (row.measure == kAursac) areas[{row.group, row.setting}] = row.value;
    if (row.measure == kModelAlone) alone[{row.group, row.setting}] = row.value;
  }
  std::size_t compared = 0;
  for (const ResultRow& row : combined_jobs(data_set, effort).front().run(workshop).rows) {
    if (row.method != kPlugIn || row.measure != kAursac || row.setting == kTemperatureOfOthers) {
      continue;
    }
    EXPECT_EQ(row.value, (areas.at({row.group, row.setting})));
    ++compared;
  }
  EXPECT_EQ(compared, 4u);
  for (const GroupName& group : {kId, kOod}) {
    for (const FittedOn on : kFittedOn) {
      const auto of = [&](GivenClassifier given) { return alone.at({group, fitted(given, on)}); };
      EXPECT_EQ(of(GivenClassifier::kTemperature), (alone.at({group, kRaw})));
      EXPECT_EQ(of(GivenClassifier::kBiasForAnswers), of(GivenClassifier::kBias));
    }
  }
}

// The policies are those of Table 1, which are given the raw classifier there; every other one is
// also theirs here.
TEST(Calibration, GivesThePoliciesOfTable1TheSameClassifiers) {
  const DataSet data_set = generated_data_set(0);
  Effort effort = quick_effort();
  effort.cohorts = 1;
  effort.epochs = 2;
  const ScratchDirectory scratch;
  Workshop workshop(scratch / "cache", "code");
  std::map<Cell, double> areas;
  for (const ResultRow& row : calibration_jobs(data_set, effort).front().run(workshop).rows) {
    if (row.measure == kAursac) areas[row] = row.value;
  }
  std::size_t compared = 0;
  for (const Job& job : table1_jobs(data_set, effort)) {
    if (job.name != "table1/generated/variable/ifd-peak/cohort-0" &&
        job.name != "table1/generated/variable/pop-qi/cohort-0") {
      continue;
    }
    for (const ResultRow& row : job.run(workshop).rows) {
      if (row.measure != kAursac || row.scale != kProbability || row.group == kSeen) continue;
      Cell cell = row;
      cell.experiment = kCalibration;
      cell.setting = kRaw;
      EXPECT_EQ(areas.at(cell), row.value) << to_text(cell);
      for (const FittedOn on : kFittedOn) {
        cell.setting = fitted(GivenClassifier::kBias, on);
        EXPECT_NE(areas.at(cell), row.value) << to_text(cell);
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 4u);
}

}  // namespace
}  // namespace ifd::experiments
