#include "experiments/report/rosters_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

// The sentence subtracts what everybody's promises lack from what those of the chosen do, and the
// rules from plug-in, at 64 experts and 5 answers per class.
TEST(RostersSection, ComputesItsSentence) {
  std::vector<ResultRow> rows;
  const auto add = [&](const MethodName& method, const MeasureName& measure, double size,
                       double value) {
    ResultRow row;
    row.experiment = kRosters;
    row.data = DataName("blood");
    row.experts = kVariable;
    row.group = kEverybody;
    row.method = method;
    row.setting = answers_per_class(5);
    row.scale = kProbability;
    row.measure = measure;
    row.x = size;
    row.value = value;
    rows.push_back(row);
  };
  for (const double size : {4., 64.}) {
    add(kPlugIn, kPromisedMinusKept, size, .001 * size);
    add(kPlugIn, kPromisedMinusKeptByAll, size, -.01);
    add(kPlugIn, kAursac, size, size == 4 ? .92 : .9);
    add(kCeiling, kAursac, size, .93 + .0005 * size);
    add(kPlugInLowerBound, kAursac, size, .912);
    add(kPlugInStaffPrior, kAursac, size, .895);
  }
  const RunRecord run;
  const Summary summary(rows);
  Document document("", "");
  write_rosters(document, {run, summary, kRosters, "Large rosters"});
  const std::string text = document.markdown();
  for (const char* words :
       {"by +0.014", "among 4 and +0.074", "bounds +0.012", "prior −0.005",
        "AURSAC of plug-in is 0.920 (4), 0.900 (64), that of the ceiling 0.932 (4), 0.962 (64)",
        "64 experts minus 4, where plug-in is best by its means: −0.020 (one cohort); of the "
        "ceiling "
        "+0.030 (one cohort)."}) {
    EXPECT_THAT(text, testing::HasSubstr(words));
  }
}

}  // namespace
}  // namespace ifd::experiments
