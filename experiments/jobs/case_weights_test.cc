#include "experiments/jobs/case_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "experiments/jobs/generated_data_set.h"

namespace ifd::experiments {
namespace {

// Whoever leaves out some of the cases, and whatever their order, the others count as before.
TEST(CaseWeights, BelongToTheCaseAndNotToItsRow) {
  const DataSet data_set = generated_data_set(0);
  const std::vector<std::size_t> rows = {40, 7, 99, 3};
  const Predictions some = data_set.test.subset(rows);
  for (std::size_t resample = 0; resample < 20; ++resample) {
    SCOPED_TRACE(testing::Message() << "resample " << resample);
    const auto all = case_weights(data_set.name, data_set.test, resample);
    const auto few = case_weights(data_set.name, some, resample);
    const std::vector<std::uint32_t> expected = {all[40], all[7], all[99], all[3]};
    // Drawn again only where all four were left out.
    if (expected != std::vector<std::uint32_t>{0, 0, 0, 0}) {
      EXPECT_EQ(few, expected);
    }
    EXPECT_GT(std::accumulate(few.begin(), few.end(), 0U), 0U);
  }
}

// Poisson(1): mean 1 and variance 1, to four standard errors (the variance of (w - 1)^2 is 3).
TEST(CaseWeights, HaveMeanAndVarianceOne) {
  const DataSet data_set = generated_data_set(0);
  double sum = 0, squares = 0, count = 0;
  for (std::size_t resample = 0; resample < kCaseResamples; ++resample) {
    for (const std::uint32_t w : case_weights(data_set.name, data_set.test, resample)) {
      sum += w;
      squares += (w - 1.0) * (w - 1.0);
      count += 1;
    }
  }
  EXPECT_NEAR(sum / count, 1, 4 / std::sqrt(count));
  EXPECT_NEAR(squares / count, 1, 4 * std::sqrt(3 / count));
}

}  // namespace
}  // namespace ifd::experiments
