#include "experiments/report/people_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

// Every method beside plug-in at its own noise level; the oracle in brackets.
TEST(PeopleSection, StandsMethodsBesidePlugIn) {
  std::vector<ResultRow> rows;
  const auto add = [&](const MethodName& method, int noise, const MeasureName& measure,
                       double value) {
    ResultRow row;
    row.experiment = kPeopleAsTheyAre;
    row.data = kImageNet16HData;
    row.experts = kEverydayPeople;
    row.group = kEverybody;
    row.method = method;
    row.setting = at_noise(noise);
    row.scale = kProbability;
    row.measure = measure;
    row.value = value;
    rows.push_back(row);
  };
  for (const int noise : {80, 95, 110, 125}) {
    const double level = 1 - .002 * noise;
    add(kPlugIn, noise, kAursac, level);
    add(kPopQi, noise, kAursac, level - .0002 * noise);
    add(kOracle, noise, kAursac, level + .1);
    add(kPlugInCombined, noise, kAursac, level - .001 * (noise - 70));
    add(kModel, noise, kPeopleCount, 23);
  }
  const RunRecord run;
  const Summary summary(rows);
  Document document("", "");
  write_people(document, {run, summary, kPeopleAsTheyAre, "People"});
  const std::string text = document.markdown();
  for (const char* words :
       {"about 23 people who share nobody",
        "| pop-qi | 0.824 | −0.016 (one cohort) | 0.791 | −0.019 (one cohort) |",
        "The classifier is raw here",
        "−0.010 at noise 80, −0.025 at noise 95, −0.040 at noise 110, −0.055 at noise 125",
        "| (0.850) | +0.100 (one cohort) |"}) {
    EXPECT_THAT(text, testing::HasSubstr(words));
  }
}

}  // namespace
}  // namespace ifd::experiments
