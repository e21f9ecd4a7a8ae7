#include "ifd/rejector/trained_rejector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "ifd/random/keyed_random.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

using testing::HasSubstr;

// r(z) = sum of weights * numbers + bias.
TrainedRejectorParts linear(std::vector<float> weights, float bias) {
  TrainedRejectorParts parts;
  parts.state_set = weights.size() == 6 ? StateSet::kPaper : StateSet::kExtended;
  const std::size_t in = weights.size();
  parts.layers = {{in, 1, std::move(weights), {bias}}};
  return parts;
}

TrainedRejector rejector(Head head, MarginScale scale) {
  auto parts = linear({0, 0, 0, 0, 0, 0}, 0);
  parts.head = head;
  return TrainedRejector(std::move(parts), scale);
}

template <class State>
double value(const TrainedRejector& rule, const State& state) {
  RejectorScratch scratch;
  double found = 0;
  rule.evaluate(std::span(&state, 1), std::span(&found, 1), scratch);
  return found;
}

TEST(TrainedRejector, ReadsTheNumbersInTheirOrder) {
  const RoleState paper{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(
      value(TrainedRejector(linear({1, 10, 100, 1000, 10000, 100000}, .5F), MarginScale::kLogit),
            paper),
      654321.5);
  const ExtendedRoleState extended{paper, 1, 2, 3, 4, 5, 6};
  EXPECT_EQ(value(TrainedRejector(linear({0, 0, 0, 0, 0, 0, 1, 10, 100, 1000, 10000, 100000}, .5F),
                                  MarginScale::kLogit),
                  extended),
            654321.5);
}

// The (K+1)-softmax written out with g_k = log rho_k: p_perp = e^g / (1 + e^g) and
// max p = rho_top / (1 + e^g).
TEST(TrainedRejector, MarginsAreThoseOfTheSoftmax) {
  for (const double top : {.2, .5, .99}) {
    for (const double g : {-30., -2., -.1, 0., .3, 4., 30.}) {
      const double z = 1 + std::exp(g);
      EXPECT_DOUBLE_EQ(rejector(Head::kPlain, MarginScale::kLogit).margin(g, top, 7),
                       g - std::log(top));
      EXPECT_NEAR(rejector(Head::kPlain, MarginScale::kProbability).margin(g, top, 7),
                  std::exp(g) / z - top / z, 1e-15);
      EXPECT_NEAR(rejector(Head::kResidual, MarginScale::kProbability).margin(g - .25, top, .25),
                  std::exp(g) / z - top / z, 1e-15);
    }
  }
}

// With r = 0 the residual rule ranks experts as the plug-in rule: log sum rho mu - log rho_top.
TEST(TrainedRejector, ResidualStartsAtThePlugInRule) {
  EXPECT_DOUBLE_EQ(rejector(Head::kResidual, MarginScale::kLogit).margin(0, .5, std::log(.7)),
                   std::log(.7) - std::log(.5));
}

TEST(TrainedRejector, MarginsAreFiniteForEveryFiniteOutput) {
  constexpr double kLargest = std::numeric_limits<float>::max();
  for (const double g : {-kLargest, -1e4, -750., 750., 1e4, kLargest}) {
    for (const double top : {1e-45, .1, 1.}) {
      for (const double log_accuracy : {0., -745.}) {
        for (const Head head : {Head::kPlain, Head::kResidual}) {
          for (const MarginScale scale : {MarginScale::kProbability, MarginScale::kLogit}) {
            const double margin = rejector(head, scale).margin(g, top, log_accuracy);
            EXPECT_TRUE(std::isfinite(margin));
            if (scale == MarginScale::kProbability) {
              EXPECT_LE(std::abs(margin), 1);
            }
          }
        }
      }
    }
  }
}

TEST(TrainedRejector, AnOutputThatIsNotFiniteIsAnError) {
  const TrainedRejector rule(linear({3e38F, 3e38F, 0, 0, 0, 0}, 0), MarginScale::kLogit);
  EXPECT_THAT(refusal([&] { value(rule, RoleState{1, 1, 0, 0, 0, 0}); }), HasSubstr("not finite"));
}

// Folding the standardisation into the first layer changes the function by rounding only.
TEST(TrainedRejector, StandardisesItsInputs) {
  const Key key(4);
  auto parts = linear({1, -2, 3, .5F, 1, 1}, .25F);
  parts.layers.insert(parts.layers.begin(), Mlp::Layer{6, 6, {}, std::vector<float>(6, .1F)});
  for (std::size_t i = 0; i < 36; ++i) {
    parts.layers.front().weights.push_back(static_cast<float>(key.normal(i)));
  }
  const TrainedRejector raw(parts, MarginScale::kLogit);
  parts.standardisation = {{.5F, .25F, .5F, .02F, .75F, .01F}, {.25F, .2F, .1F, .01F, .1F, .01F}};
  const TrainedRejector standardised(parts, MarginScale::kLogit);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::array<double, 6> z{};
    std::array<double, 6> scaled{};
    for (std::size_t i = 0; i < 6; ++i) {
      z[i] = Key(seed).uniform(i) * (i == 3 || i == 5 ? .05 : 1);
      scaled[i] = (z[i] - parts.standardisation->shift[i]) / parts.standardisation->scale[i];
    }
    EXPECT_NEAR(
        value(standardised, RoleState{z[0], z[1], z[2], z[3], z[4], z[5]}),
        value(raw, RoleState{scaled[0], scaled[1], scaled[2], scaled[3], scaled[4], scaled[5]}),
        1e-4);
  }
}

TEST(TrainedRejector, RefusesPartsThatDoNotFit) {
  const auto refused = [](const TrainedRejectorParts& parts) {
    return refusal([&] { TrainedRejector(parts, MarginScale::kLogit); });
  };
  auto parts = linear({1, 1, 1, 1, 1, 1}, 0);
  parts.state_set = StateSet::kExtended;
  EXPECT_THAT(refused(parts), HasSubstr("reads 6 numbers; expected 12"));
  parts.state_set = StateSet::kPaper;
  parts.standardisation = {{0, 0}, {1, 1}};
  EXPECT_THAT(refused(parts), HasSubstr("2 shifts and 2 scales of inputs; expected 6"));
  parts.standardisation = {std::vector<float>(6, 0), {1, 1, 1, 0, 1, 1}};
  EXPECT_THAT(refused(parts), HasSubstr("input 3 has shift 0 and scale 0"));
}

}  // namespace
}  // namespace ifd
