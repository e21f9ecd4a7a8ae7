#include "ifd/policy/calibration.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// Labels drawn from softmax(scale * log p + bias), so that the truth of the fit is known.
Predictions drawn(std::uint64_t seed, std::size_t cases, double scale,
                  const std::vector<double>& bias) {
  const std::size_t classes = bias.size();
  std::vector<double> logits(cases * classes);
  for (std::size_t i = 0; i < logits.size(); ++i) logits[i] = 2 * Key(seed).normal(i);
  const auto p = Predictions::from_logits(logits, classes);
  std::vector<double> true_logits;
  for (std::size_t i = 0; i < p.size(); ++i) {
    true_logits.push_back(scale * std::log(p[i]) + bias[i % classes]);
  }
  const auto truth = Predictions::from_logits(true_logits, classes);
  std::vector<ClassId> labels;
  for (std::size_t i = 0; i < cases; ++i) {
    double left = Key(seed).with("label").uniform(i);
    std::size_t k = 0;
    while (k + 1 < classes && left >= truth[i * classes + k]) left -= truth[i * classes + k++];
    labels.push_back(class_id(k));
  }
  return Predictions({ClassNames::numbered(classes), {}, p, labels, {}, 0});
}

double penalised_loss(const Predictions& labelled, const Calibration& c) {
  double ridge = 0;
  for (const double b : c.bias) ridge += b * b / 2;
  return calibration_quality(calibrated(labelled, c)).log_loss *
             static_cast<double>(labelled.size()) +
         ridge;
}

TEST(Calibration, RecoversTheTemperatureThatMadeTheLabels) {
  const Predictions labelled = drawn(1, 20000, .5, {0, 0, 0, 0});
  EXPECT_NEAR(fit_calibration(labelled, CalibrationKind::kTemperature).scale, .5, .02);
}

TEST(Calibration, RecoversTheOffsetsThatMadeTheLabels) {
  const std::vector<double> bias = {1, -.5, 0, -.5};
  const Calibration found = fit_calibration(drawn(2, 20000, .7, bias), CalibrationKind::kBias);
  EXPECT_NEAR(found.scale, .7, .03);
  for (std::size_t k = 0; k < bias.size(); ++k) EXPECT_NEAR(found.bias[k], bias[k], .08);
}

// Convexity: a point that no small step improves is the minimum.
TEST(Calibration, NoNeighbourHasALowerPenalisedLoss) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Predictions labelled = drawn(seed, 60, .6, {.8, 0, -.8});
    const Calibration found = fit_calibration(labelled, CalibrationKind::kBias);
    const double least = penalised_loss(labelled, found);
    for (int coordinate = 0; coordinate < 4; ++coordinate) {
      for (const double step : {-.05, .05}) {
        Calibration moved = found;
        (coordinate == 3 ? moved.scale : moved.bias[coordinate]) += step;
        EXPECT_GT(penalised_loss(labelled, moved), least);
      }
    }
  }
}

// The fit moves with the names, bit for bit.
TEST(Calibration, IsEquivariantToRenamingClasses) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Predictions labelled = drawn(seed, 50, .6, {.8, 0, -.8, .3});
    const std::vector<std::size_t> renamed = {2, 0, 3, 1};
    std::vector<float> p(labelled.size() * 4);
    std::vector<ClassId> labels;
    for (std::size_t i = 0; i < labelled.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k) p[i * 4 + renamed[k]] = labelled.probabilities(i)[k];
      labels.push_back(class_id(renamed[index(labelled.label(i))]));
    }
    const Predictions moved({ClassNames::numbered(4), {}, p, labels, {}, 0});
    const Calibration a = fit_calibration(labelled, CalibrationKind::kBias);
    const Calibration b = fit_calibration(moved, CalibrationKind::kBias);
    EXPECT_EQ(a.scale, b.scale);
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(a.bias[k], b.bias[renamed[k]]);
    const Predictions before = calibrated(labelled, a);
    const Predictions after = calibrated(moved, b);
    for (std::size_t i = 0; i < before.size(); ++i) {
      for (std::size_t k = 0; k < 4; ++k) {
        ASSERT_EQ(before.probabilities(i)[k], after.probabilities(i)[renamed[k]]);
      }
    }
  }
}

// Two cases said at .8, one right: error |.8 - .5|; loss by hand.
TEST(Calibration, QualityByHand) {
  const Predictions labelled(
      {ClassNames::numbered(2), {}, {.8F, .2F, .8F, .2F}, {ClassId{0}, ClassId{1}}, {}, 0});
  const CalibrationQuality q = calibration_quality(labelled);
  EXPECT_NEAR(q.expected_calibration_error, .3, 1e-7);
  EXPECT_NEAR(q.log_loss, -(std::log(.8) + std::log(.2)) / 2, 1e-7);
}

// A label the classifier thought impossible is finite, and one-sided data ends at the range's end.
TEST(Calibration, ExtremeInputsStayFinite) {
  const Predictions certain(
      {ClassNames::numbered(2), {}, {1, 0, 0, 1}, {ClassId{0}, ClassId{1}}, {}, 0});
  const Predictions wrong(
      {ClassNames::numbered(2), {}, {1, 0, 0, 1}, {ClassId{1}, ClassId{0}}, {}, 0});
  for (const auto* p : {&certain, &wrong}) {
    for (const auto kind : {CalibrationKind::kTemperature, CalibrationKind::kBias}) {
      const Calibration found = fit_calibration(*p, kind);
      EXPECT_TRUE(std::isfinite(found.scale));
      EXPECT_TRUE(std::isfinite(calibration_quality(calibrated(*p, found)).log_loss));
    }
  }
  EXPECT_LT(fit_calibration(wrong, CalibrationKind::kTemperature).scale, .01);
}

TEST(Calibration, RefusesWhatDoesNotFit) {
  const Predictions labelled = drawn(1, 10, 1, {0, 0, 0});
  const Predictions without(
      Predictions::Parts{labelled.classes(), {}, labelled.parts().probabilities, {}, {}, 0});
  EXPECT_THROW(fit_calibration(without, CalibrationKind::kTemperature), Error);
  EXPECT_THROW(calibration_quality(without), Error);
  EXPECT_THROW(calibrated(labelled, {1, {0, 0}}), Error);
}

}  // namespace
}  // namespace ifd
