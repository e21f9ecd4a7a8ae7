#include "ifd/router/certify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "ifd/error.h"
#include "ifd/random/keyed_random.h"
#include "ifd/router.h"
#include "tests/refusal.h"

namespace ifd {
namespace {

// A calibrated model of three classes and an expert who is right with `skill`, whatever the class.
struct Hospital {
  Predictions past;   // the context's cases
  Predictions cases;  // for the calibration
  AnswerTable answers;
  std::vector<ExpertContext> contexts;
};

Predictions drawn_predictions(const Key& key, std::size_t count, const std::string& prefix) {
  Predictions::Parts parts{ClassNames({"nevus", "melanoma", "other"}), {}, {}, {}, {}, 0};
  for (std::size_t i = 0; i < count; ++i) {
    const Key here = key.with(prefix).with(i);
    const double top = .4 + .58 * here.uniform();
    const std::size_t favourite = here.below(3, 1);
    for (std::size_t k = 0; k < 3; ++k) {
      parts.probabilities.push_back(static_cast<float>(k == favourite ? top : (1 - top) / 2));
    }
    const bool right = here.uniform(2) < top;
    parts.labels.push_back(class_id(right ? favourite : (favourite + 1 + here.below(2, 3)) % 3));
    parts.cases.push_back(prefix + std::to_string(i));
  }
  return Predictions(std::move(parts));
}

Hospital hospital(std::uint64_t seed, std::size_t cases, double skill,
                  const std::string& prefix = "case ") {
  const Key key = Key(seed).with("hospital");
  Hospital made{drawn_predictions(key, 300, "past "),
                drawn_predictions(key, cases, prefix),
                AnswerTable({"ann"}, cases),
                {{"ann", {}}}};
  const auto answer = [&](const Predictions& on, std::size_t row) -> Answer {
    const Key here = key.with("ann").with(on.case_name(row));
    const std::size_t truth = index(on.label(row));
    return class_id(here.uniform() < skill ? truth : (truth + 1) % 3);
  };
  for (std::size_t i = 0; i < cases; ++i) {
    made.answers.set(case_id(i), expert_id(0), answer(made.cases, i));
  }
  for (std::size_t i = 0; i < made.past.size(); ++i) {
    made.contexts[0].rows.push_back(
        {made.past.case_name(i), made.past.label(i), answer(made.past, i)});
  }
  return made;
}

Router router_of(const Hospital& place, bool with_context_predictions = false) {
  RouterOptions options;
  if (with_context_predictions) options.context_predictions = place.past;
  return Router(place.cases.classes(), place.contexts, options);
}

const CalendarDate kToday = CalendarDate::parse("2026-11-18");

// What is promised is what route does, and the certificate tells it.
TEST(Certify, TheThresholdDefersWhatTheCertificateSays) {
  for (const bool with_context_predictions : {false, true}) {
    const Hospital place = hospital(1, 1500, .93);
    const Router router = router_of(place, with_context_predictions);
    CertificateRequest request;
    request.error = .15;
    const Certification found = certify(router, place.cases, place.answers, request);
    ASSERT_TRUE(found.certificate) << found.why;
    const Certificate& made = *found.certificate;
    EXPECT_EQ(made.cases, with_context_predictions ? 1500u : 1200u);
    const Routes routes = router.route(place.cases, Certified{made, kToday});
    EXPECT_EQ(routes.threshold(), made.threshold);
    const auto deferred = std::count_if(routes.begin(), routes.end(), [](const Route& route) {
      return route.decision() == Decision::kExpert;
    });
    EXPECT_NEAR(static_cast<double>(deferred) / 1500, made.deferral, .03);
    EXPECT_LE(made.deferral_low, made.deferral);
    EXPECT_LE(made.deferral, made.deferral_high);
    EXPECT_LT(made.promises[0].measured, .15);
    EXPECT_EQ(made.promises[0].units, made.cases);
  }
}

// Names decide what is set aside, so that the order of rows, groups and experts has no way in.
TEST(Certify, TheOrderOfRowsDoesNotMatter) {
  const Hospital place = hospital(2, 900, .95);
  const Router router = router_of(place);
  std::vector<std::size_t> rows(place.cases.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  std::reverse(rows.begin(), rows.end());
  CertificateRequest request;
  request.error = .16;
  request.class_errors["melanoma"] = .25;
  for (const bool grouped : {false, true}) {
    CertificateRequest backwards = request;
    if (grouped) {
      for (std::size_t i = 0; i < rows.size(); ++i) {
        request.groups.push_back(static_cast<std::uint32_t>(i / 2));
        backwards.groups.push_back(static_cast<std::uint32_t>(rows[i] / 2 + 7));
      }
    }
    const auto one = certify(router, place.cases, place.answers, request);
    const auto other =
        certify(router, place.cases.subset(rows), place.answers.subset(rows), backwards);
    ASSERT_EQ(one.certificate.has_value(), other.certificate.has_value());
    ASSERT_TRUE(one.certificate || grouped) << one.why;
    if (one.certificate) {
      EXPECT_EQ(one.certificate->to_json(), other.certificate->to_json());
    }
    EXPECT_EQ(one.why, other.why);
  }
}

// No answer of who is asked is a loss: without any answers, deferring can only hurt.
TEST(Certify, AMissingAnswerIsALoss) {
  const Hospital place = hospital(3, 1500, .93);
  const Router router = router_of(place);
  CertificateRequest request;
  request.error = .15;
  ASSERT_TRUE(certify(router, place.cases, place.answers, request).certificate);
  const Certification found =
      certify(router, place.cases, AnswerTable({"somebody else"}, place.cases.size()), request);
  EXPECT_FALSE(found.certificate);
  EXPECT_NE(found.why.find("100 % where even everything is deferred"), std::string::npos)
      << found.why;
}

TEST(Certify, TellsWhatWouldBeEnough) {
  // .9^20 = .12, so that twenty cases without a loss are too few.
  const Hospital small = hospital(4, 20, 1);
  CertificateRequest request;
  request.error = .1;
  const std::string more_cases =
      certify(router_of(small, true), small.cases, small.answers, request).why;
  EXPECT_NE(more_cases.find("20 cases are too few to promise 10 % with 90 % confidence; about "),
            std::string::npos)
      << more_cases;

  const Hospital poor = hospital(5, 3000, .7);
  request.error = .05;
  const std::string better = certify(router_of(poor), poor.cases, poor.answers, request).why;
  EXPECT_NE(better.find("it takes better experts or a better model"), std::string::npos) << better;

  const Hospital good = hospital(6, 3000, .95);
  request.error = .12;
  ASSERT_TRUE(certify(router_of(good), good.cases, good.answers, request).certificate);
  request.most_deferred = .05;
  const std::string capacity = certify(router_of(good), good.cases, good.answers, request).why;
  EXPECT_NE(capacity.find("it takes more capacity"), std::string::npos) << capacity;
}

// About as many cases as are said to be enough mostly are.
TEST(Certify, ThatManyCasesMostlyAreEnough) {
  const Hospital small = hospital(4, 20, 1);
  CertificateRequest request;
  request.error = .1;
  const std::string why = certify(router_of(small, true), small.cases, small.answers, request).why;
  const std::size_t at = why.find("about ");
  ASSERT_NE(at, std::string::npos) << why;
  const std::size_t enough = std::stoul(why.substr(at + 6));
  std::size_t certified = 0;
  for (std::uint64_t seed = 100; seed < 120; ++seed) {
    const Hospital larger = hospital(seed, enough, 1);
    const auto found = certify(router_of(larger, true), larger.cases, larger.answers, request);
    certified += found.certificate ? 1 : 0;
  }
  EXPECT_GT(certified, 10u) << enough;
}

TEST(Certify, RefusesCasesOfTheContext) {
  const Hospital place = hospital(7, 100, .9);
  CertificateRequest request;
  request.error = .1;
  EXPECT_EQ(
      refusal([&] { certify(router_of(place), place.past, AnswerTable({"ann"}, 300), request); }),
      "300 of the 300 calibration cases are in the context too, such as 'past 0'; expected "
      "cases that no profile was made from");
}

TEST(Certify, RefusesNamesThatLookGrouped) {
  Hospital place = hospital(8, 100, .9);
  Predictions::Parts parts = place.cases.parts();
  for (std::size_t i = 0; i < 100; ++i) {
    parts.cases[i] = "r" + std::to_string(i / 10) + "-" + std::to_string(i);
  }
  const Predictions cases(std::move(parts));
  CertificateRequest request;
  request.error = .3;
  EXPECT_THROW(certify(router_of(place), cases, place.answers, request), Error);
  request.independent_cases = true;
  EXPECT_NO_THROW(certify(router_of(place), cases, place.answers, request));
  request.independent_cases = false;
  for (std::size_t i = 0; i < 100; ++i)
    request.groups.push_back(static_cast<std::uint32_t>(i / 10));
  EXPECT_NO_THROW(certify(router_of(place), cases, place.answers, request));
}

TEST(Certify, RefusesWhatCannotBePromised) {
  const Hospital place = hospital(9, 100, .9);
  const Router router = router_of(place);
  const auto refused = [&](const CertificateRequest& request) {
    EXPECT_THROW(certify(router, place.cases, place.answers, request), Error);
  };
  refused({});
  refused({.error = 0.});
  refused({.error = 1.});
  refused({.error = .1, .confidence = 1});
  refused({.error = .1, .confidence = 0});
  refused({.class_errors = {{"freckle", .1}}});
  refused({.class_errors = {{"melanoma", 2}}});
  refused({.subgroup_error = .1});
  refused({.error = .1, .groups = {1, 2}});
  refused({.error = .1, .most_deferred = 2});
}

// A promise is for what the router knew; whoever learns since asks for a new one.
TEST(Certify, ARouterThatHasLearnedRefusesTheCertificate) {
  const Hospital place = hospital(10, 1500, .95);
  Router router = router_of(place);
  CertificateRequest request;
  request.error = .15;
  const Certificate made = *certify(router, place.cases, place.answers, request).certificate;
  EXPECT_NO_THROW(router.route(place.cases, Certified{made, kToday}));
  router.observe("ann", {.answer = class_id(0), .truth = class_id(0)});
  EXPECT_THROW(router.route(place.cases, Certified{made, kToday}), Error);
  router.forget("ann", {.answer = class_id(0), .truth = class_id(0)});
  EXPECT_NO_THROW(router.route(place.cases, Certified{made, kToday}));
  router.set_on_duty("ann", false);
  EXPECT_THROW(router.route(place.cases, Certified{made, kToday}), Error);
  router.set_on_duty("ann", true);
  router.add_expert("bob");
  EXPECT_THROW(router.route(place.cases, Certified{made, kToday}), Error);
}

// Who is named in which order, and in which order classes stand, changes no decision and no scope.
TEST(Certify, TheScopeKnowsNoOrder) {
  const Hospital place = hospital(11, 10, .9);
  std::vector<ExpertContext> staff = place.contexts;
  staff.push_back({"bob", {staff[0].rows.begin(), staff[0].rows.begin() + 50}});
  const DecisionScope one = Router(place.cases.classes(), staff).scope();
  std::swap(staff[0], staff[1]);
  EXPECT_EQ(Router(place.cases.classes(), staff).scope(), one);
  RouterOptions confidence;
  confidence.policy = "confidence";
  EXPECT_NE(Router(place.cases.classes(), staff, confidence).scope(), one);
  RouterOptions seeded;
  seeded.seed = 5;
  EXPECT_NE(Router(place.cases.classes(), staff, seeded).scope(), one);
}

// Within a budget with confidence, a stream is watched: cases of another kind give an alarm, those
// of the same none.
TEST(Certify, AStreamOfOtherCasesGivesAnAlarm) {
  const Hospital place = hospital(12, 2000, .9);
  const Router router = router_of(place);
  const CalibratedBudget rule{.share = .2, .past_cases = place.past, .budget_confidence = .95};
  const Routes like = router.route(place.cases, rule);
  ASSERT_TRUE(like.watch());
  EXPECT_FALSE(like.watch()->alarm_after);
  EXPECT_LE(like.calibrated()->rate, .2);
  // Only cases that the model is unsure of.
  std::vector<std::size_t> unsure;
  for (std::size_t row = 0; row < place.cases.size(); ++row) {
    const auto probabilities = place.cases.probabilities(row);
    if (*std::max_element(probabilities.begin(), probabilities.end()) < .6F) unsure.push_back(row);
  }
  const Routes unlike = router.route(place.cases.subset(unsure), rule);
  ASSERT_TRUE(unlike.watch()->alarm_after);
  EXPECT_LT(*unlike.watch()->alarm_after, 200u);
}

}  // namespace
}  // namespace ifd
