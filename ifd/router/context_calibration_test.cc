// Policies that learn from the context's cases, in a router.
#include "ifd/router/context_calibration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/policy/scoring.h"
#include "tests/generated_staff.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

std::vector<double> margins_in(const Router& router, const Predictions& cases) {
  const Routes routes = router.route(cases, Threshold{-5});
  std::vector<double> margins;
  for (std::size_t i = 0; i < routes.size(); ++i) margins.push_back(routes[i].margin);
  return margins;
}

// A router of several pages has the sets of the whole context on every page. What is observed
// leaves them as they are, until the router is calibrated anew.
TEST(LabelledCases, AreThoseOfTheWholeRosterOnEveryPage) {
  GeneratedStaff staff = generated_staff(3, 130, 4, 6);
  RouterOptions options;
  options.policy = "conformal";
  EXPECT_THAT(refusal([&] { Router(staff.cases.classes(), staff.contexts, options); }),
              testing::HasSubstr("give --context-predictions"));
  options.context_predictions = staff.context;
  Router router(staff.cases.classes(), staff.contexts, options);
  EXPECT_FALSE(router.expects_gains());
  const ContextRow next = staff.contexts[129].rows.front();
  staff.contexts[129].rows.push_back({"never predicted", next.truth, next.answer});
  router.observe(staff.contexts[129].expert, {next.answer, next.truth, "never predicted"});
  const Roster roster = make_roster(staff.contexts, staff.cases.classes().size());
  PolicyMaterials materials{roster};
  materials.contexts = staff.contexts;
  materials.context_predictions = &staff.context;
  const auto policy = make_policy("conformal", materials);
  const auto expected =
      winning_margins(*policy, staff.cases, roster.names, Availability(130)).margin;
  EXPECT_EQ(margins_in(router, staff.cases), expected);
  router.recalibrate();
  EXPECT_EQ(margins_in(router, staff.cases), expected);
}

// With a calibration the sets are made of calibrated predictions, as the cases are read.
TEST(LabelledCases, AreCalibratedAsTheCasesAre) {
  const GeneratedStaff staff = generated_staff(5, 3, 4, 12);
  RouterOptions options;
  options.policy = "conformal";
  options.calibrate = CalibrationKind::kTemperature;
  options.context_predictions = staff.context;
  const Router router(staff.cases.classes(), staff.contexts, options);
  const Calibration fitted = router.calibration()->calibration;
  ASSERT_NE(fitted.scale, 1);
  RouterOptions by_hand;
  by_hand.policy = "conformal";
  by_hand.context_predictions = calibrated(staff.context, fitted);
  const Router bare(staff.cases.classes(), staff.contexts, by_hand);
  EXPECT_EQ(margins_in(router, staff.cases), margins_in(bare, calibrated(staff.cases, fitted)));
}

}  // namespace
}  // namespace ifd
