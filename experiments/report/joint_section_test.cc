#include "experiments/report/joint_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

using testing::HasSubstr;
using testing::Not;

Document written(const std::vector<ResultRow>& rows) {
  const RunRecord run;
  const Summary summary(rows);
  Document document("", "");
  write_joint(document, {run, summary, kJoint, "Joint"});
  return document;
}

// By hand: frozen plug-in .80, ifd-peak .79; joint ifd-peak .83, plug-in beside it .81. Cohort c
// has .001 c more everywhere, so differences are exact.
TEST(JointSection, SaysWhoIsFirstInEachAndByHowMuch) {
  std::vector<ResultRow> rows;
  const auto add = [&](const MethodName& method, const Setting& setting, double value) {
    for (int cohort = 0; cohort < 3; ++cohort) {
      ResultRow row;
      row.experiment = kJoint;
      row.data = DataName("ham");
      row.experts = kVariable;
      row.group = kId;
      row.method = method;
      row.setting = setting;
      row.scale = kProbability;
      row.measure = kAursac;
      row.cohort = cohort;
      row.value = value + .001 * cohort;
      rows.push_back(row);
    }
  };
  add(kPlugIn, kFrozen, .80);
  add(kIfdPeak, kFrozen, .79);
  add(kIfdPeak, kFrozenBriefly, .785);
  add(kIfdPeak, joint_with(kIfdPeak), .83);
  add(kPlugIn, joint_with(kIfdPeak), .81);
  const std::string text = written(rows).markdown();
  EXPECT_THAT(text, HasSubstr("| ID | frozen | plug-in | 0.801 | ifd-peak | +0.010 (+0.010 to "
                              "+0.010), 3 of 3 |  |"));
  EXPECT_THAT(text, HasSubstr("| ID | joint | ifd-peak | 0.831 | plug-in, joint with ifd-peak | "
                              "+0.020 (+0.020 to +0.020), 3 of 3 | no |"));
  EXPECT_THAT(text, HasSubstr("+0.040 (+0.040 to +0.040), 3 of 3 | – |"));
  EXPECT_THAT(text, Not(HasSubstr("| OOD | frozen")));
  // Against the same short training without the classifier: .83 - .785.
  EXPECT_THAT(text, HasSubstr("joint minus frozen for as many epochs, AURSAC"));
  EXPECT_THAT(text, HasSubstr("| ifd-peak | – | +0.045 (+0.045 to +0.045), 3 of 3 | – |"));
}

TEST(JointSection, SaysWhyItIsNotPartOfEveryRun) {
  EXPECT_THAT(written({}).html(),
              HasSubstr("only when it is named (--only joint) and not with --quick"));
}

}  // namespace
}  // namespace ifd::experiments
