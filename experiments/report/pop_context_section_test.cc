#include "experiments/report/pop_context_section.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/result/labels.h"

namespace ifd::experiments {
namespace {

// By hand: all minus pool for each group, seen minus ID either way, and the difference of these.
TEST(PopContextSection, SubtractsThePoolAndThoseWithTheSameSpecialties) {
  std::vector<ResultRow> rows;
  const auto add = [&](const GroupName& group, const Setting& contexts, double value) {
    ResultRow row;
    row.experiment = kPopContext;
    row.data = DataName("ham");
    row.experts = kVariable;
    row.group = group;
    row.method = kPopQi;
    row.setting = contexts;
    row.scale = kProbability;
    row.measure = kAursac;
    row.value = value;
    rows.push_back(row);
  };
  add(kSeen, kAllCasesContexts, .9);
  add(kSeen, kPoolContexts, .86);
  add(kId, kAllCasesContexts, .88);
  add(kId, kPoolContexts, .87);
  add(kOod, kAllCasesContexts, .8);
  const RunRecord run;
  const Summary summary(rows);
  Document document("", "");
  write_pop_context(document, {run, summary, kPopContext, "Contexts"});
  const std::string text = document.markdown();
  for (const char* words : {"pool: pop-qi seen +0.040 (one cohort), ID +0.010 (one cohort), OOD –.",
                            "| pop-qi | seen | 0.900 | 0.860 | +0.040 (one cohort) |",
                            "| pop-qi | OOD | 0.800 | – | – |",
                            "| pop-qi | Variable | +0.020 (one cohort) | −0.010 (one cohort) | "
                            "+0.030 (one cohort) |"}) {
    EXPECT_THAT(text, testing::HasSubstr(words));
  }
}

}  // namespace
}  // namespace ifd::experiments
