#include "experiments/report/small_contexts_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

// The sentence is about Variable experts, OOD: one answer per class minus fifteen.
TEST(SmallContextsSection, ComputesItsSentence) {
  std::vector<ResultRow> rows;
  const auto add = [&](const MethodName& method, const GroupName& group, double answers,
                       double value) {
    ResultRow row;
    row.experiment = kSmallContexts;
    row.data = DataName("blood");
    row.experts = kVariable;
    row.group = group;
    row.method = method;
    row.scale = kProbability;
    row.measure = kAursac;
    row.x = answers;
    row.value = value;
    rows.push_back(row);
  };
  for (const double answers : {1., 5., 15.}) {
    add(kPlugIn, kOod, answers, .8 + .002 * answers);
    add(kPlugInStaffPrior, kOod, answers, .8 + .001 * answers);
    add(kPlugIn, kId, answers, .7);
    add(kPopQc, kOod, answers, .75);
  }
  const RunRecord run;
  const Summary summary(rows);
  Document document("", "");
  write_small_contexts(document, {run, summary, kSmallContexts, "Few answers"});
  const std::string text = document.markdown();
  EXPECT_THAT(text, testing::Not(testing::HasSubstr("ifd-peak")));
  for (const char* words :
       {"plug-in 0.802 instead of 0.830, −0.028 (one cohort)",
        "plug-in-staff-prior 0.801 instead of 0.815, −0.014 (one cohort)",
        "pop-qc 0.750 instead of 0.750, 0.000 (one cohort)",
        "pop-qc minus plug-in is −0.052 (one cohort) with one and −0.080 (one cohort) with 15",
        "| plug-in | 0.802 | 0.810 | 0.830 |"}) {
    EXPECT_THAT(text, testing::HasSubstr(words));
  }
}

}  // namespace
}  // namespace ifd::experiments
