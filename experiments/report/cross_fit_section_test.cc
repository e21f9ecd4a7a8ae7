#include "experiments/report/cross_fit_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

// The sentence subtracts in-sample from out-of-fold, OOD; the table also plug-in from both.
TEST(CrossFitSection, ComputesItsSentenceAndTable) {
  std::vector<ResultRow> rows;
  const auto add = [&](const GroupName& group, const MethodName& method, const Setting& setting,
                       const MeasureName& measure, double value) {
    ResultRow row;
    row.experiment = kCrossFit;
    row.data = DataName("ham");
    row.experts = kVariable;
    row.group = group;
    row.method = method;
    row.setting = setting;
    row.scale = kProbability;
    row.measure = measure;
    row.value = value;
    rows.push_back(row);
  };
  for (const GroupName& group : {kId, kOod}) {
    const double level = group == kId ? .9 : .8;
    add(group, kPlugIn, {}, kAursac, level);
    add(group, kIfdPeak, kInSample, kAursac, level - .01);
    add(group, kIfdPeak, kOutOfFold, kAursac, level + (group == kId ? .001 : .023));
  }
  add({}, kModel, kInSample, kAccuracy, .991);
  add({}, kModel, kOutOfFold, kAccuracy, .942);
  add({}, kModel, {}, kMeanConfidence, .963);
  const RunRecord run;
  const Summary summary(rows);
  Document document("", "");
  write_cross_fit(document, {run, summary, kCrossFit, "Cross-fitting"});
  const std::string text = document.markdown();
  for (const char* words :
       {"right on 0.991 and – sure (log loss –) on its own training cases", "right on 0.942",
        "right on – and 0.963 sure", "in-sample: ifd-peak +0.033 (one cohort); ifd-expected –",
        "The file has no lesion ids",
        "By its mean in 2 of 2 places, with an interval above 0 in 0; by most ifd-peak, OOD +0.023",
        "| ifd-peak | OOD | 0.790 | 0.823 | +0.033 (one cohort) | −0.010 (one cohort) | +0.023 "
        "(one "
        "cohort) |",
        "| plug-in | ID | 0.900 | 0.900 |"}) {
    EXPECT_THAT(text, testing::HasSubstr(words));
  }
}

}  // namespace
}  // namespace ifd::experiments
