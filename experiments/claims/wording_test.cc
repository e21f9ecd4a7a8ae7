#include "experiments/claims/wording.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiments/result/labels.h"
#include "ifd/policy/policy_catalogue.h"

namespace ifd::experiments {
namespace {

using testing::ElementsAre;

TEST(Wording, NumbersAsWritten) {
  EXPECT_EQ(signed_number(.0434), "+0.043");
  EXPECT_EQ(signed_number(-.05), "−0.050");
  EXPECT_EQ(signed_number(.0001), "0.000");
  EXPECT_EQ(mean_text(mean_of({.8, .9})), "0.850 ± 0.071");
  EXPECT_EQ(mean_text(mean_of({.8})), "0.800");
  EXPECT_EQ(mean_text({}), "–");
  EXPECT_EQ(duration_text(11520), "3 h 12 min");
}

TEST(Wording, KnownNamesComeInTheOrderOfTheReportAndOthersLast) {
  EXPECT_THAT(in_report_order({MethodName("zeta"), kOracle, MethodName("alpha"), kPopQi, kIfdPeak}),
              ElementsAre(kIfdPeak, kPopQi, kOracle, MethodName("alpha"), MethodName("zeta")));
  EXPECT_THAT(data_in_report_order({DataName("a"), kGeneratedData, DataName("blood")}),
              ElementsAre(DataName("blood"), kGeneratedData, DataName("a")));
}

TEST(Wording, TitlesOfKnownNames) {
  EXPECT_EQ(data_title(DataName("organ")), "Liver/Organ");
  EXPECT_EQ(data_title(DataName("unheard of")), "unheard of");
  EXPECT_EQ(group_title(kOod), "OOD");
  EXPECT_EQ(group_title(kSeen), "seen");
  EXPECT_EQ(experts_title(kStable), "Stable");
}

// So that a policy that joins the catalogue is not forgotten here.
TEST(Wording, EveryUntrainedPolicyHasAMeaning) {
  for (const std::string_view name : policy_names()) {
    EXPECT_NE(method_meaning(MethodName(std::string(name))), "") << name;
  }
}

}  // namespace
}  // namespace ifd::experiments
