#include "ifd/certificate/exchangeability_watch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"

namespace ifd {
namespace {

// After how many cases drawn with this shift and spread there is an alarm; 2,000 at the most.
std::size_t delay(std::uint64_t seed, double shift, double spread) {
  const Key key = Key(seed).with("exchangeability watch");
  std::vector<double> calibration;
  for (std::size_t i = 0; i < 500; ++i) calibration.push_back(key.with("old").normal(i));
  ExchangeabilityWatch watch(calibration, .01);
  for (std::size_t i = 0; i < 2000; ++i) {
    const double margin = shift + spread * key.with("new").normal(i);
    if (watch.add(margin, key.with("tie").uniform(i))) break;
  }
  return watch.alarm().value_or(2000);
}

// Whichever way the cases change, most streams are told within a few hundred of them.
TEST(ExchangeabilityWatch, GivesAnAlarmWhereCasesChange) {
  const std::vector<std::pair<double, double>> changes = {{1, 1}, {-1, 1}, {0, 2.5}, {0, .4}};
  for (const auto& [shift, spread] : changes) {
    std::vector<std::size_t> delays;
    for (std::uint64_t seed = 0; seed < 21; ++seed) delays.push_back(delay(seed, shift, spread));
    std::sort(delays.begin(), delays.end());
    EXPECT_LT(delays[10], 300u) << "shift " << shift << ", spread " << spread;
  }
}

// What was alarmed stays alarmed, and the first alarm is kept.
TEST(ExchangeabilityWatch, KeepsTheAlarm) {
  ExchangeabilityWatch watch(std::vector<double>(200, 0.), .01);
  std::size_t cases = 0;
  while (!watch.add(1 + 1e-3 * static_cast<double>(cases), .5)) ++cases;
  const auto first = watch.alarm();
  EXPECT_EQ(first, cases + 1);
  EXPECT_GE(watch.evidence(), 100);
  EXPECT_TRUE(watch.add(0, .5));
  EXPECT_EQ(watch.alarm(), first);
  EXPECT_EQ(watch.cases(), *first);
}

// The wealth is a martingale: over uniform numbers the mean of the next is the present one. Equal
// margins leave the rank to the tie-breaks alone, which are spread evenly here.
TEST(ExchangeabilityWatch, IsFairToEqualMargins) {
  const std::vector<double> calibration(50, 0.);
  double sum = 0;
  constexpr int kDraws = 1000;
  for (int i = 0; i < kDraws; ++i) {
    ExchangeabilityWatch watch(calibration, .01);
    watch.add(0, .3);
    watch.add(0, (i + .5) / kDraws);
    sum += watch.evidence();
  }
  ExchangeabilityWatch before(calibration, .01);
  before.add(0, .3);
  EXPECT_NEAR(sum / kDraws, before.evidence(), 1e-6);
}

TEST(ExchangeabilityWatch, RefusesWhatIsNoRateOrMargin) {
  EXPECT_THROW(ExchangeabilityWatch({}, 0), Error);
  EXPECT_THROW(ExchangeabilityWatch({}, 1), Error);
  ExchangeabilityWatch watch({}, .5);
  EXPECT_THROW(watch.add(std::numeric_limits<double>::quiet_NaN(), .5), Error);
}

}  // namespace
}  // namespace ifd
