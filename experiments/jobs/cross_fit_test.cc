#include "experiments/jobs/cross_fit.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "experiments/jobs/generated_data_set.h"
#include "experiments/result/labels.h"
#include "ifd/policy/calibration.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd::experiments {
namespace {

// A classifier that is too sure of its training cases, and not of what it never saw: the generated
// data set's own, and the same sharpened.
DataSet too_sure(std::uint64_t seed) {
  const DataSet honest = generated_data_set(seed);
  DataSet made = with_training_probabilities(honest, calibrated(honest.training, {4, {}}));
  made.out_of_fold =
      std::make_shared<const DataSet>(with_training_probabilities(made, honest.training));
  return made;
}

TEST(DataSet, OtherTrainingProbabilitiesAreAllThatDiffers) {
  const DataSet in_sample = too_sure(1);
  const DataSet& out_of_fold = *in_sample.out_of_fold;
  EXPECT_EQ(out_of_fold.training.case_names(), in_sample.training.case_names());
  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  };
  EXPECT_TRUE(same(out_of_fold.training.labels(), in_sample.training.labels()));
  EXPECT_TRUE(same(out_of_fold.training.all_features(), in_sample.training.all_features()));
  EXPECT_FALSE(
      same(out_of_fold.training.all_probabilities(), in_sample.training.all_probabilities()));
  EXPECT_TRUE(same(out_of_fold.test.all_probabilities(), in_sample.test.all_probabilities()));
  EXPECT_TRUE(
      same(out_of_fold.validation.all_probabilities(), in_sample.validation.all_probabilities()));
  EXPECT_NE(out_of_fold.hash, in_sample.hash);
  EXPECT_EQ(out_of_fold.out_of_fold, nullptr);
  // In another order they are others.
  std::vector<std::size_t> rows(in_sample.training.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = rows.size() - 1 - i;
  EXPECT_EQ(
      refusal([&] { with_training_probabilities(in_sample, in_sample.training.subset(rows)); }),
      "generated: predictions of other cases or labels; expected those of the training cases, in "
      "their order");
}

// The experts, what they say and what is known of them is the same either way, so plug-in is; and
// the temperature that is fitted where the classifier is too sure leaves it so.
TEST(CrossFit, BothWaysMeetTheSameExperts) {
  const DataSet data_set = too_sure(1);
  const Population population{Protocol::kPopulation, 3};
  const CohortData a = make_cohort_data(data_set, Archetype::kVariable, population);
  const CohortData b = make_cohort_data(*data_set.out_of_fold, Archetype::kVariable, population);
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    EXPECT_EQ(a.groups[g].contexts, b.groups[g].contexts);
    for (std::size_t i = 0; i < data_set.test.size(); ++i) {
      for (std::size_t j = 0; j < a.groups[g].experts.size(); ++j) {
        ASSERT_EQ(a.groups[g].answers.at(case_id(i), expert_id(j)),
                  b.groups[g].answers.at(case_id(i), expert_id(j)));
      }
    }
  }
}

TEST(CrossFit, MeasuresBothWays) {
  const ScratchDirectory scratch;
  const DataSet data_set = too_sure(1);
  Workshop workshop(scratch.path(), "test");
  Effort effort;
  effort.scaling_cohorts = 1;
  effort.epochs = 1;
  std::map<Cell, ResultRow> found;
  for (const Job& job : cross_fit_jobs(data_set, effort)) {
    for (const ResultRow& row : job.run(workshop).rows) found[row] = row;
  }
  Cell cell{.experiment = kCrossFit, .data = data_set.name, .experts = kVariable};
  cell.scale = kProbability;
  cell.method = kModel;
  const auto model = [&](const Setting& setting, const MeasureName& measure) {
    cell.setting = setting;
    cell.measure = measure;
    return found.at(cell).value;
  };
  EXPECT_EQ(model(kInSample, kAccuracy), model(kOutOfFold, kAccuracy));
  EXPECT_GT(model(kInSample, kMeanConfidence), model(kOutOfFold, kMeanConfidence) + .05);
  EXPECT_GT(model(kInSample, kLogLoss), model(kOutOfFold, kLogLoss));
  for (const GroupName& group : {kId, kOod}) {
    cell.group = group;
    for (const MeasureName& measure : {kAursac, kAursacTo10, kAursacTo30, kAurdac}) {
      cell.measure = measure;
      cell.method = kPlugIn;
      cell.setting = {};
      EXPECT_FALSE(found.at(cell).replicates.empty());
      for (const MethodName& method : {kIfdPeak, kIfdExpected, kIfdResidual, kPlugInTemperature}) {
        cell.method = method;
        cell.setting = kInSample;
        const double in_sample = found.at(cell).value;
        cell.setting = kOutOfFold;
        const double out_of_fold = found.at(cell).value;
        // Over few budgets both may choose cases that come to the same.
        EXPECT_TRUE(measure != kAursac || out_of_fold != in_sample) << to_text(cell);
      }
    }
  }
}

}  // namespace
}  // namespace ifd::experiments
