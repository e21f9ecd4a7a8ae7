#include "ifd/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "ifd/network/amx.h"
#include "ifd/policy/multi_expert_policy.h"
#include "ifd/policy/policy_catalogue.h"
#include "ifd/policy/scoring.h"
#include "ifd/policy/trained_policy.h"
#include "ifd/role/role_reader.h"
#include "ifd/router/case_story.h"
#include "ifd/routing/capacity.h"
#include "tests/generated_staff.h"
#include "tests/random_network.h"
#include "tests/refusal.h"
#include "tests/scratch_directory.h"

namespace ifd {
namespace {

using testing::HasSubstr;

constexpr double kEverything = -std::numeric_limits<double>::infinity();

std::vector<Route> routes_in(const Routes& routes) { return {routes.begin(), routes.end()}; }

std::vector<Route> all_routes(const Router& router, const Predictions& cases) {
  return routes_in(router.route(cases, Threshold{kEverything}));
}

PolicyFile trained_file(StateSet state, Head head, std::string_view metadata = "{}") {
  TrainedRejectorParts parts;
  parts.state_set = state;
  parts.head = head;
  parts.layers = random_layers(Key(5), {width_of(state), 16, 1});
  return trained_policy_file(parts, metadata);
}

PolicyFile population_file(const ClassNames& classes) {
  const std::size_t width = 8, features = 2, k = classes.size();
  PolicyFile file;
  file.method = "pop-qc";
  std::string names;
  for (const std::string& name : classes.names()) {
    names += (names.empty() ? "\"" : ",\"") + name + "\"";
  }
  file.metadata_json = "{\"classes\":[" + names + "]}";
  std::uint64_t draw = 0;
  const auto add = [&](const std::string& name, std::vector<std::size_t> shape) {
    std::size_t count = 1;
    for (const std::size_t extent : shape) count *= extent;
    std::vector<float> values;
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<float>(Key(9).normal(draw++) * .5));
    }
    file.tensors.push_back({name, std::move(shape), std::move(values)});
  };
  add("feature_mean", {features});
  add("feature_scale", {features});
  add("embedding.weight", {k, width});
  add("encoder.0.weight", {width, features + 2 * width});
  add("encoder.0.bias", {width});
  add("rejector.0.weight", {1, features + width});
  add("rejector.0.bias", {1});
  for (const std::string block : {"self_attention.", "cross_attention."}) {
    const std::size_t in = block == "self_attention." ? width : features;
    add(block + "query.weight", {width, in});
    add(block + "key.weight", {width, in});
    add(block + "value.weight", {width, width});
    add(block + "mix.weight", {width, width});
    add(block + "mix.bias", {width});
    for (const char* norm : {"norm1", "norm2"}) {
      add(block + norm + ".weight", {width});
      add(block + norm + ".bias", {width});
    }
  }
  return file;
}

// Pages change no bit: a roster over several of them decides as one policy over all experts would.
TEST(Router, RoutesAsThePolicyOverTheWholeRosterDoes) {
  const ScratchDirectory folder;
  trained_file(StateSet::kPaper, Head::kPlain).write(folder / "plain.ifd");
  trained_file(StateSet::kExtended, Head::kResidual).write(folder / "residual.ifd");
  const std::vector<std::string> policies = {
      "plug-in", "peak-rule",          "confidence",
      "random",  folder / "plain.ifd", folder / "residual.ifd"};
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::size_t experts = std::vector<std::size_t>{1, 3, 63, 64, 65, 130}[seed % 6];
    const GeneratedStaff staff = generated_staff(seed, experts, 2 + seed % 4, seed);
    const Roster roster = make_roster(staff.contexts, staff.cases.classes().size());
    for (const std::string& name : policies) {
      SCOPED_TRACE(name);
      const Router router(staff.cases.classes(), staff.contexts, {.policy = name, .seed = seed});
      PolicyMaterials materials{roster};
      materials.seed = seed;
      const auto policy = make_policy(name, materials);
      const MarginTable table =
          winning_margins(*policy, staff.cases, roster.names, Availability(experts), {seed, 1, {}});
      EXPECT_EQ(all_routes(router, staff.cases), route_by_threshold(table, kEverything));
      const double threshold = threshold_for_budget(table.margin, .3);
      const Routes by_budget = router.route(staff.cases, Budget{.3, kFillBudget});
      EXPECT_EQ(routes_in(by_budget), route_by_threshold(table, threshold));
      EXPECT_EQ(by_budget.threshold(), threshold);
      EXPECT_EQ(by_budget.experts(), roster.names);
    }
  }
}

// A budget is a cap: those of the budget's cases that promise no gain stay with the model, and no
// other; a least margin of the caller's takes the place of 0; under margins that only order the
// cases the budget is filled.
TEST(Router, ABudgetIsACapWhereMarginsAreExpectedGains) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 3, 3, seed);
    for (const std::string name : {"plug-in", "peak-rule", "confidence"}) {
      SCOPED_TRACE(name);
      const Router router(staff.cases.classes(), staff.contexts, {.policy = name, .seed = seed});
      EXPECT_EQ(router.expects_gains(), name == "plug-in");
      const Routes filled = router.route(staff.cases, Budget{.7, kFillBudget});
      EXPECT_FALSE(filled.least_margin().has_value());
      const auto above = [&](double least) {
        std::vector<Route> expected = routes_in(filled);
        for (Route& route : expected) {
          if (route.margin < least) route.expert = kNobody;
        }
        return expected;
      };
      const Routes capped = router.route(staff.cases, Budget{.7});
      EXPECT_EQ(capped.least_margin().has_value(), name == "plug-in");
      EXPECT_EQ(routes_in(capped), above(name == "plug-in" ? 0 : kFillBudget));
      EXPECT_EQ(routes_in(router.route(staff.cases, Budget{.7, .05})), above(.05));
      const Routes assigned = router.route(staff.cases, Capacities{{}, Budget{.7}});
      for (const Route& route : assigned) {
        EXPECT_TRUE(name != "plug-in" || route.decision() == Decision::kModel || route.margin >= 0);
      }
    }
  }
}

TEST(Router, CapacitiesAndStreamsAreThoseOfTheLayersBelow) {
  const GeneratedStaff staff = generated_staff(3, 5, 3, 9);
  const Router router(staff.cases.classes(), staff.contexts, {.seed = 3});
  const Roster roster = make_roster(staff.contexts, 3);
  const auto policy = make_policy("plug-in", {roster});
  const MarginTable past =
      winning_margins(*policy, staff.context, roster.names, Availability(5), {3, 1, {}});
  const CalibratedThreshold expected = calibrate_threshold(past.margin, .25, .95, 0);
  const Routes stream = router.route(staff.cases, CalibratedBudget{.25, staff.context});
  ASSERT_TRUE(stream.calibrated().has_value());
  EXPECT_EQ(stream.calibrated()->threshold, expected.threshold);
  EXPECT_EQ(stream.calibrated()->rate_high, expected.rate_high);

  const Routes limited = router.route(
      staff.cases, Capacities{{{"expert 1", 2}, {"expert 3", 0}}, Budget{.5, kFillBudget}});
  std::vector<std::size_t> load(5, 0);
  for (const Route& route : limited) {
    if (route.decision() == Decision::kExpert) ++load[index(route.expert)];
  }
  EXPECT_LE(load[1], 2u);
  EXPECT_EQ(load[3], 0u);
  EXPECT_EQ(load[0] + load[1] + load[2] + load[4], 20u);
  EXPECT_FALSE(limited.threshold().has_value());
  EXPECT_THAT(refusal([&] {
                router.route(staff.cases, Capacities{{{"nobody", 2}}, Budget{.5}});
              }),
              HasSubstr("a capacity for 'nobody'"));
}

// Every answer, in the classes or outside.
AnswerTable generated_answers(const GeneratedStaff& staff, const Key& key) {
  std::vector<std::string> names;
  for (const ExpertContext& context : staff.contexts) names.push_back(context.expert);
  AnswerTable answers(names, staff.cases.size());
  for (std::size_t i = 0; i < staff.cases.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      const Key here = key.with(i).with(j);
      answers.set(case_id(i), expert_id(j),
                  here.uniform() < .7
                      ? Answer(staff.cases.label(i))
                      : Answer(class_id(here.below(staff.cases.classes().size(), 1))));
    }
  }
  return answers;
}

OperatingPoint point_of(const Routes& routes, const Predictions& cases,
                        const AnswerTable& answers) {
  std::vector<CaseOutcome> outcomes;
  for (std::size_t i = 0; i < routes.size(); ++i) {
    outcomes.push_back({credit_if(routes.prediction(i) == cases.label(i)),
                        credit_if(routes[i].decision() == Decision::kExpert &&
                                  answers.at(case_id(i), routes[i].expert).is(cases.label(i)))});
  }
  return operating_point(routes_in(routes), outcomes, answers.experts());
}

void expect_same(const OperatingPoint& a, const OperatingPoint& b) {
  EXPECT_EQ(a.deferred, b.deferred);
  EXPECT_EQ(a.load, b.load);
  EXPECT_EQ(a.system_accuracy, b.system_accuracy);
  EXPECT_EQ(a.expert_accuracy, b.expert_accuracy);
  EXPECT_EQ(a.model_accuracy, b.model_accuracy);
}

// What runs at night is what was measured: within capacities, every operating point of an
// evaluation is what comes of the routes that the router makes of the same cases. Curves and areas
// know of no capacity.
TEST(Router, EvaluatesWithinCapacitiesWhatItRoutes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 6, 3, 15);
    const AnswerTable answers = generated_answers(staff, Key(seed).with("answers"));
    const std::map<std::string, std::size_t> most = {
        {"expert 1", 2}, {"expert 2", seed % 4}, {"expert 3", 0}};
    for (const std::string policy : {"plug-in", "confidence"}) {
      SCOPED_TRACE(policy);
      Router router(staff.cases.classes(), staff.contexts, {.policy = policy, .seed = seed});
      router.set_on_duty("expert 4", false);
      RouterEvaluationOptions options;
      options.measures.bootstrap = 50;
      const PolicyEvaluation without =
          router.evaluate(staff.cases, answers, options).policies.front();
      options.measures.capacities = most;
      options.measures.threshold = -.05;
      const Evaluation evaluation = router.evaluate(staff.cases, answers, options);
      EXPECT_EQ(evaluation.total_capacity, staff.cases.size());
      const PolicyEvaluation& within = evaluation.policies.front();
      for (const BudgetPoint& point : within.at_budgets) {
        expect_same(point.point,
                    point_of(router.route(staff.cases, Capacities{most, Budget{point.budget}}),
                             staff.cases, answers));
        EXPECT_EQ(point.accuracy, point.point.system_accuracy);
        EXPECT_FALSE(point.threshold.has_value());
        ASSERT_TRUE(point.estimate.has_value());
        EXPECT_EQ(point.estimate->accuracy.value, point.accuracy);
        EXPECT_LE(point.estimate->accuracy.interval.low, point.accuracy);
        EXPECT_GE(point.estimate->accuracy.interval.high, point.accuracy);
      }
      expect_same(within.at_zero,
                  point_of(router.route(staff.cases, Capacities{most, Threshold{0}}), staff.cases,
                           answers));
      expect_same(within.at_threshold->point,
                  point_of(router.route(staff.cases, Capacities{most, Threshold{-.05}}),
                           staff.cases, answers));
      EXPECT_EQ(within.aursac, without.aursac);
      EXPECT_EQ(within.intervals->aursac.interval.low, without.intervals->aursac.interval.low);
      EXPECT_EQ(within.filled.back().gain.value, without.filled.back().gain.value);
    }
  }
}

// Without capacities, a threshold that was asked for is what the router does there.
TEST(Router, EvaluatesAtTheThresholdThatWasAskedFor) {
  const GeneratedStaff staff = generated_staff(3, 4, 3, 15);
  const AnswerTable answers = generated_answers(staff, Key(3));
  const Router router(staff.cases.classes(), staff.contexts);
  RouterEvaluationOptions options;
  options.measures.threshold = .02;
  const PolicyEvaluation policy = router.evaluate(staff.cases, answers, options).policies.front();
  ASSERT_TRUE(policy.at_threshold.has_value());
  expect_same(policy.at_threshold->point,
              point_of(router.route(staff.cases, Threshold{.02}), staff.cases, answers));
  EXPECT_DOUBLE_EQ(policy.at_threshold->estimate->accuracy.value,
                   policy.at_threshold->point.system_accuracy);
  options.measures.threshold = NAN;
  EXPECT_THAT(refusal([&] { router.evaluate(staff.cases, answers, options); }),
              HasSubstr("the threshold is NaN"));
}

// Observing is exact and order-free: any split of the same answers into a context and observations,
// in any order, is the same router, to the last bit of its routes and of its file.
TEST(Router, ObservationsInAnyOrderAreTheContext) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const GeneratedStaff staff = generated_staff(seed, 70, 3, 12);
    const Router whole(staff.cases.classes(), staff.contexts);
    struct Late {
      std::string expert;
      Observation observation;
      std::uint64_t order;
    };
    std::vector<ExpertContext> early = staff.contexts;
    std::vector<Late> late;
    for (ExpertContext& context : early) {
      const std::size_t kept = Key(seed).with(context.expert).below(context.rows.size() + 1);
      for (std::size_t i = kept; i < context.rows.size(); ++i) {
        const ContextRow& row = context.rows[i];
        late.push_back({context.expert,
                        {row.answer, row.truth, row.case_name},
                        Key(seed).with(context.expert).with(row.case_name).bits()});
      }
      context.rows.erase(context.rows.begin() + static_cast<std::ptrdiff_t>(kept),
                         context.rows.end());
    }
    std::ranges::sort(late, {}, &Late::order);
    Router learned(staff.cases.classes(), early);
    for (const Late& one : late) learned.observe(one.expert, one.observation);
    EXPECT_EQ(learned.roster_state(), whole.roster_state());
    EXPECT_EQ(learned.roster_state().to_bytes(), whole.roster_state().to_bytes());
    EXPECT_EQ(all_routes(learned, staff.cases), all_routes(whole, staff.cases));

    const Router read(RosterState::from_bytes(learned.roster_state().to_bytes(), "r.roster"));
    EXPECT_EQ(all_routes(read, staff.cases), all_routes(whole, staff.cases));
    for (const Late& one : late) learned.forget(one.expert, one.observation);
    const Router before(staff.cases.classes(), early);
    EXPECT_EQ(learned.roster_state(), before.roster_state());
    EXPECT_EQ(all_routes(learned, staff.cases), all_routes(before, staff.cases));
  }
}

TEST(Router, RefusesWhatMakesNoSenseAndKeepsItsState) {
  const GeneratedStaff staff = generated_staff(1, 3, 2, 4);
  Router router(staff.cases.classes(), staff.contexts);
  const RosterState before = router.roster_state();
  const ContextRow& given = staff.contexts[0].rows[0];
  EXPECT_THAT(refusal([&] {
                router.observe("nobody", {given.answer, given.truth});
              }),
              HasSubstr("'nobody' is not an expert; expected one of expert 0, expert 1, expert 2"));
  EXPECT_THAT(refusal([&] {
                router.observe("expert 0", {Answer::missing(), given.truth});
              }),
              HasSubstr("the answer is missing"));
  EXPECT_THAT(refusal([&] {
                router.observe("expert 0", {ClassId{0}, ClassId{2}});
              }),
              HasSubstr("truth 2 is not a class; expected 0..1"));
  EXPECT_THAT(refusal([&] {
                router.observe("expert 0", {ClassId{5}, ClassId{1}});
              }),
              HasSubstr("answer 5 is not a class; expected 0..1"));
  EXPECT_THAT(refusal([&] {
                router.observe("expert 0", {given.answer, given.truth, given.case_name});
              }),
              HasSubstr("has answered case"));
  EXPECT_EQ(refusal_kind([&] {
              router.forget("expert 0", {ClassId{0}, ClassId{0}});
            }),
            ErrorKind::kNotFound);
  EXPECT_THAT(refusal([&] { router.add_expert("expert 1"); }), HasSubstr("is there already"));
  EXPECT_THAT(refusal([&] { router.add_expert(""); }), HasSubstr("has no name"));
  EXPECT_THAT(refusal([&] { router.add_expert("new", {{1, 1}}); }), HasSubstr("1 priors"));
  EXPECT_THAT(refusal([&] {
                router.add_expert("new", {{1, 1}, {0, 1}});
              }),
              HasSubstr("expected both from 1e-09 to 9007199254740992"));
  EXPECT_THAT(refusal([&] { router.remove_expert("new"); }), HasSubstr("is not an expert"));
  EXPECT_THAT(refusal([&] { router.explain(staff.cases, staff.cases.size()); }),
              HasSubstr("expected one of the 40 cases"));
  EXPECT_THAT(refusal([&] { router.route(staff.cases, Threshold{NAN}); }), HasSubstr("NaN"));
  EXPECT_THAT(refusal([&] { router.route(staff.cases, Budget{1.5}); }), HasSubstr("1.5"));
  const auto others = generated_staff(1, 3, 3, 4);
  EXPECT_THAT(refusal([&] { router.route(others.cases, Budget{.5}); }),
              HasSubstr("the classes are"));
  EXPECT_THAT(refusal([&] { Router(staff.cases.classes(), {}, {.policy = "oracle"}); }),
              HasSubstr("evaluated but not routed with"));
  EXPECT_EQ(router.roster_state(), before);
}

// Hand calculation: Beta(1, 1) after one right answer of one has the mean 2/3, after one of two
// 1/2.
TEST(Router, LearnsTheNextAnswer) {
  const ClassNames classes({"cat", "dog"});
  Router router(classes, {{"ann", {}}});
  const Predictions cases(Predictions::Parts{classes, {"x"}, {.75F, .25F}, {}, {}, 0});
  const auto margin = [&] { return router.route(cases, Threshold{0})[0].margin; };
  EXPECT_DOUBLE_EQ(margin(), .5 - .75);
  router.observe("ann", {.answer = ClassId{0}, .truth = ClassId{0}});
  EXPECT_NEAR(margin(), .75 * 2 / 3 + .25 / 2 - .75, 1e-12);
  router.observe("ann", {.answer = ClassId{1}, .truth = ClassId{0}});
  EXPECT_DOUBLE_EQ(margin(), .5 - .75);
  EXPECT_EQ(router.profile("ann").at(ClassId{0}).answers(), 2u);
  router.forget("ann", {.answer = ClassId{1}, .truth = ClassId{0}});
  EXPECT_NEAR(margin(), .75 * 2 / 3 + .25 / 2 - .75, 1e-12);
}

TEST(Router, StaffComesGoesAndTakesLeave) {
  const GeneratedStaff staff = generated_staff(4, 130, 3, 6);
  Router router(staff.cases.classes(), {});
  EXPECT_EQ(router.route(staff.cases, Budget{1})[0].expert, kNobody);
  for (const ExpertContext& context : staff.contexts) {
    router.add_expert(context.expert);
    for (const ContextRow& row : context.rows) {
      router.observe(context.expert, {row.answer, row.truth, row.case_name});
    }
  }
  const Router whole(staff.cases.classes(), staff.contexts);
  EXPECT_EQ(router.roster_state(), whole.roster_state());
  EXPECT_EQ(all_routes(router, staff.cases), all_routes(whole, staff.cases));

  // Without the expert who has the first case, as if that expert had never been there.
  const Routes first = router.route(staff.cases, Threshold{kEverything});
  const std::string name = first.expert_name(first[0]);
  router.set_on_duty(name, false);
  EXPECT_FALSE(router.is_on_duty(name));
  const Routes without = router.route(staff.cases, Threshold{kEverything});
  EXPECT_NE(without.expert_name(without[0]), name);
  router.remove_expert(name);
  std::vector<ExpertContext> rest = staff.contexts;
  std::erase_if(rest, [&](const ExpertContext& context) { return context.expert == name; });
  const Router never(staff.cases.classes(), rest);
  EXPECT_EQ(router.roster_state(), never.roster_state());
  EXPECT_EQ(all_routes(router, staff.cases), all_routes(never, staff.cases));
  // What was routed before still knows its names.
  EXPECT_EQ(first.expert_name(first[0]), name);
  for (const ExpertContext& context : rest) router.remove_expert(context.expert);
  EXPECT_TRUE(router.experts().empty());
  EXPECT_EQ(router.route(staff.cases, Budget{1})[0].expert, kNobody);
}

// The calibration of a policy file is part of the policy: margins come from calibrated predictions.
TEST(Router, APolicyFileDecidesWithItsOwnCalibration) {
  const ScratchDirectory folder;
  const GeneratedStaff staff = generated_staff(6, 4, 3, 30);
  PolicyCalibration stored{CalibrationKind::kTemperature, CalibrationSource::kValidation, {.5, {}}};
  stored.cases = 10;
  trained_file(StateSet::kPaper, Head::kPlain, "{\"calibration\":" + to_json(stored) + "}")
      .write(folder / "stored.ifd");
  trained_file(StateSet::kPaper, Head::kPlain).write(folder / "bare.ifd");
  const Router bare(staff.cases.classes(), staff.contexts, {.policy = folder / "bare.ifd"});
  const Router router(staff.cases.classes(), staff.contexts, {.policy = folder / "stored.ifd"});
  EXPECT_EQ(all_routes(router, staff.cases), all_routes(bare, calibrated(staff.cases, {.5, {}})));
  EXPECT_NE(all_routes(router, staff.cases), all_routes(bare, staff.cases));
  EXPECT_EQ(router.calibration()->origin, CalibrationInUse::Origin::kPolicyTraining);
  EXPECT_EQ(router.explain(staff.cases, 0).experts[0].margin,
            bare.explain(calibrated(staff.cases, {.5, {}}), 0).experts[0].margin);
  // Nobody gets margins of the file without it.
  const Roster roster = make_roster(staff.contexts, 3);
  EXPECT_THAT(refusal([&] { make_policy((folder / "stored.ifd").string(), {roster}); }),
              HasSubstr("expected it to be used through a router"));
}

// Observations leave a calibration on the context as it is; recalibrate() fits it anew.
TEST(Router, RecalibratesWhenAsked) {
  const ScratchDirectory folder;
  const GeneratedStaff staff = generated_staff(8, 2, 3, 20);
  const PolicyCalibration wanted{CalibrationKind::kTemperature, CalibrationSource::kContext, {}};
  trained_file(StateSet::kPaper, Head::kPlain, "{\"calibration\":" + to_json(wanted) + "}")
      .write(folder / "context.ifd");
  for (const bool own : {true, false}) {
    RouterOptions options;
    options.context_predictions = staff.context;
    if (own) options.policy = folder / "context.ifd";
    if (!own) options.calibrate = CalibrationKind::kTemperature;
    Router router(staff.cases.classes(), staff.contexts, options);
    const double before = router.calibration()->calibration.scale;
    std::vector<ExpertContext> more = staff.contexts;
    for (std::size_t row = 0; row < staff.context.size(); ++row) {
      const ContextRow next{staff.context.case_name(row), staff.context.label(row),
                            staff.context.label(row)};
      const auto& rows = more[0].rows;
      if (std::ranges::find(rows, next.case_name, &ContextRow::case_name) != rows.end()) continue;
      more[0].rows.push_back(next);
      router.observe("expert 0", {next.answer, next.truth, next.case_name});
    }
    EXPECT_EQ(router.calibration()->calibration.scale, before);
    // A router made of what is known of this one begins as it is.
    RouterOptions known = options;
    known.fitted_calibrations = router.calibrations();
    Router again(router.roster_state(), known);
    EXPECT_EQ(again.calibration()->calibration, router.calibration()->calibration);
    EXPECT_EQ(all_routes(again, staff.cases), all_routes(router, staff.cases));
    router.recalibrate();
    again.recalibrate();
    EXPECT_EQ(again.calibration()->calibration, router.calibration()->calibration);
    EXPECT_NE(router.calibration()->calibration.scale, before);
    const Router whole(staff.cases.classes(), more, options);
    EXPECT_EQ(router.calibration()->calibration.scale, whole.calibration()->calibration.scale);
    EXPECT_EQ(all_routes(router, staff.cases), all_routes(whole, staff.cases));
  }
  EXPECT_THAT(refusal([&] {
                Router(staff.cases.classes(), staff.contexts,
                       {.calibrate = CalibrationKind::kTemperature});
              }),
              HasSubstr("needs the classifier's predictions"));
}

// L2D-Pop encodes the cases themselves: it learns from named cases only, in any order.
TEST(Router, PolicyThatEncodesCasesLearnsNamedOnes) {
  const ScratchDirectory folder;
  const GeneratedStaff staff = generated_staff(11, 66, 3, 8);
  population_file(staff.cases.classes()).write(folder / "pop.ifd");
  RouterOptions options;
  options.policy = folder / "pop.ifd";
  EXPECT_THAT(refusal([&] { Router(staff.cases.classes(), staff.contexts, options); }),
              HasSubstr("reads the features of the context's cases"));
  options.context_predictions = staff.context;
  const Router whole(staff.cases.classes(), staff.contexts, options);
  EXPECT_TRUE(whole.encodes_cases());
  EXPECT_TRUE(
      tell_case(whole, staff.cases, whole.route(staff.cases, Threshold{0}), 0).answers.empty());
  std::vector<ExpertContext> early = staff.contexts;
  for (const std::size_t j : {0, 65})
    early[j].rows.erase(early[j].rows.begin() + 3, early[j].rows.end());
  Router router(staff.cases.classes(), early, options);
  EXPECT_NE(all_routes(router, staff.cases), all_routes(whole, staff.cases));
  for (const std::size_t j : {65, 0}) {
    for (std::size_t i = 8; i-- > 3;) {
      const ContextRow& row = staff.contexts[j].rows[i];
      router.observe(staff.contexts[j].expert, {row.answer, row.truth, row.case_name});
    }
  }
  EXPECT_EQ(all_routes(router, staff.cases), all_routes(whole, staff.cases));
  const RosterState before = router.roster_state();
  EXPECT_THAT(refusal([&] {
                router.observe("expert 0", {ClassId{0}, ClassId{0}});
              }),
              HasSubstr("expected the case's name"));
  // Nothing is known of that case: refused, and nothing has changed.
  EXPECT_THAT(refusal([&] {
                router.observe("expert 0", {ClassId{0}, ClassId{0}, "elsewhere"});
              }),
              HasSubstr("'elsewhere' of expert 'expert 0' is not among"));
  EXPECT_EQ(router.roster_state(), before);
  EXPECT_EQ(all_routes(router, staff.cases), all_routes(whole, staff.cases));
}

// What is tried with a copy is not seen by the router it was made from, nor the other way round.
TEST(Router, ACopyGoesItsOwnWay) {
  const GeneratedStaff staff = generated_staff(12, 70, 3, 8);
  Router router(staff.cases.classes(), staff.contexts);
  const auto before = all_routes(router, staff.cases);
  Router copy = router.copy();
  EXPECT_EQ(all_routes(copy, staff.cases), before);
  for (int i = 0; i < 40; ++i) {
    for (const int k : {0, 1, 2}) copy.observe("expert 69", {ClassId{k}, ClassId{k}});
  }
  EXPECT_EQ(all_routes(router, staff.cases), before);
  EXPECT_NE(all_routes(copy, staff.cases), before);
  router.remove_expert("expert 3");
  EXPECT_EQ(copy.experts().size(), 70U);
}

TEST(Router, AFixedStaffStaysFixed) {
  const ScratchDirectory folder;
  const GeneratedStaff staff = generated_staff(12, 2, 3, 8);
  PolicyFile file;
  file.method = "multi-expert";
  file.metadata_json =
      R"({"classes":["class 0","class 1","class 2"],"experts":["expert 0","expert 1"]})";
  file.tensors = {{"feature_mean", {2}, {0, 0}},
                  {"feature_scale", {2}, {1, 1}},
                  {"head.weight", {5, 2}, {1, 0, 0, 1, 1, 1, -1, 2, 2, -1}},
                  {"head.bias", {5}, {0, 0, 0, .1F, .2F}}};
  file.write(folder / "multi.ifd");
  Router router(staff.cases.classes(), staff.contexts, {.policy = folder / "multi.ifd"});
  EXPECT_THAT(refusal([&] { router.add_expert("cleo"); }),
              HasSubstr("knows only the experts it was trained with"));
  EXPECT_EQ(router.experts().size(), 2u);
  router.remove_expert("expert 0");
  EXPECT_EQ(router.route(staff.cases, Threshold{kEverything})[0].expert, expert_id(0));
}

TEST(Router, ExplainsWhatItDoes) {
  const GeneratedStaff staff = generated_staff(13, 70, 4, 9);
  Router router(staff.cases.classes(), staff.contexts);
  router.set_on_duty("expert 2", false);
  const Routes routes = router.route(staff.cases, Threshold{kEverything});
  const Roster roster = make_roster(staff.contexts, 4);
  for (std::size_t row = 0; row < staff.cases.size(); ++row) {
    const Explanation why = router.explain(staff.cases, row);
    EXPECT_EQ(why.best, routes[row].expert);
    EXPECT_EQ(why.experts[index(*why.best)].margin, routes[row].margin);
    EXPECT_EQ(why.prediction, top_class(staff.cases.probabilities(row)));
    EXPECT_FALSE(why.experts[2].on_duty);
    for (std::size_t j = 0; j < roster.size(); ++j) {
      EXPECT_EQ(why.experts[j].name, roster.names[j]);
      EXPECT_EQ(why.experts[j].state,
                role_state(staff.cases.probabilities(row), roster.profiles[j]));
    }
  }
}

TEST(Router, EvaluatesItselfAndOthers) {
  const GeneratedStaff staff = generated_staff(14, 3, 3, 9, 120);
  const Router router(staff.cases.classes(), staff.contexts, {.seed = 14});
  AnswerTable answers({"expert 2", "expert 0", "expert 1"}, staff.cases.size());
  for (std::size_t i = 0; i < staff.cases.size(); ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      answers.set(case_id(i), expert_id(j),
                  Key(14).with(i).with(j).uniform() < .7 ? staff.cases.label(i) : ClassId{0});
    }
  }
  RouterEvaluationOptions options;
  options.measures.bootstrap = 50;
  const Evaluation own = router.evaluate(staff.cases, answers, options);
  ASSERT_EQ(own.policies.size(), 1u);
  EXPECT_EQ(own.policies[0].policy, "plug-in");
  EXPECT_EQ(own.experts, router.experts());

  // The same margins from outside are the same policy.
  const Roster roster = make_roster(staff.contexts, 3);
  const auto policy = make_policy("plug-in", {roster});
  options.policies = {"plug-in", "oracle"};
  options.foreign = {{"mine", all_margins(*policy, staff.cases, Availability(3))}};
  const Evaluation both = router.evaluate(staff.cases, answers, options);
  ASSERT_EQ(both.policies.size(), 3u);
  EXPECT_EQ(both.policies[0].aursac, own.policies[0].aursac);
  EXPECT_EQ(both.policies[2].policy, "mine");
  EXPECT_EQ(both.policies[2].aursac, own.policies[0].aursac);
  EXPECT_EQ(both.policies[2].intervals->aursac.interval.low,
            own.policies[0].intervals->aursac.interval.low);
  EXPECT_EQ(both.policies[2].difference->aursac.value, 0);
  EXPECT_GE(both.policies[1].aursac, both.policies[0].aursac);

  answers.set(case_id(5), expert_id(0), Answer::missing());
  EXPECT_THAT(refusal([&] { router.evaluate(staff.cases, answers, options); }),
              HasSubstr("1 answer is missing (expert 2: 1)"));
  options.missing = RouterEvaluationOptions::Missing::kOffDuty;
  EXPECT_EQ(router.evaluate(staff.cases, answers, options).cases, 120u);
  options.foreign[0].margins.pop_back();
  EXPECT_THAT(refusal([&] { router.evaluate(staff.cases, answers, options); }),
              HasSubstr("359 margins"));
}

TEST(Router, LongCallsCanBeCancelledAndTellHowTheyGo) {
  const GeneratedStaff staff = generated_staff(15, 3, 3, 9);
  const Router router(staff.cases.classes(), staff.contexts);
  CancellationToken stop;
  LongWork work;
  work.cancellation = &stop;
  EXPECT_EQ(router.route(staff.cases, Budget{.5}, work).size(), staff.cases.size());
  stop.cancel();
  const auto capacities = Capacities{{}, Budget{.5}};
  EXPECT_EQ(refusal_kind([&] { router.route(staff.cases, Budget{.5}, work); }),
            ErrorKind::kCancelled);
  EXPECT_EQ(refusal_kind([&] { router.route(staff.cases, capacities, work); }),
            ErrorKind::kCancelled);
  AnswerTable answers(router.experts(), staff.cases.size());
  RouterEvaluationOptions options;
  options.missing = RouterEvaluationOptions::Missing::kOffDuty;
  std::vector<std::string> steps;
  options.measures.work.progress = [&](std::string_view step) { steps.emplace_back(step); };
  router.evaluate(staff.cases, answers, options);
  EXPECT_THAT(steps, testing::ElementsAre("scoring with plug-in", "bootstrap of plug-in"));
  // Cancelled by the observer, in the middle.
  CancellationToken later;
  options.measures.work.cancellation = &later;
  options.measures.work.progress = [&](std::string_view step) {
    if (step.starts_with("bootstrap")) later.cancel();
  };
  EXPECT_EQ(refusal_kind([&] { router.evaluate(staff.cases, answers, options); }),
            ErrorKind::kCancelled);
}

// Readers among writers: whatever a reader sees is the roster before or after a change, never half
// of one. Every writer gives an expert two answers on one class and takes one back; in between the
// margins have one of three values.
TEST(Router, ReadersSeeOneRosterWhileWritersChangeIt) {
  const ClassNames classes({"cat", "dog"});
  std::vector<ExpertContext> contexts;
  for (std::size_t j = 0; j < 130; ++j) contexts.push_back({"expert " + std::to_string(j), {}});
  Router router(classes, contexts);
  const Predictions cases(Predictions::Parts{classes, {"x"}, {1.0F, 0.0F}, {}, {}, 0});
  std::atomic<bool> done{false};
  std::atomic<std::size_t> wrong{0}, read{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 2; ++t) {
    threads.emplace_back([&] {
      do {
        const Explanation why = router.explain(cases, 0);
        const Routes routes = router.route(cases, Threshold{-2});
        for (const Explanation::Expert& expert : why.experts) {
          const double mean = expert.margin + 1;
          const bool known = std::abs(mean - 1.0 / 2) < 1e-9 || std::abs(mean - 2.0 / 3) < 1e-9 ||
                             std::abs(mean - 3.0 / 4) < 1e-9;
          wrong += known && std::abs(expert.state.mean_at_top - mean) < 1e-9 ? 0 : 1;
        }
        wrong += routes.experts().size() == why.experts.size() ||
                         routes.experts().size() + 1 == why.experts.size() ||
                         routes.experts().size() == why.experts.size() + 1
                     ? 0
                     : 1;
        ++read;
      } while (!done);
    });
  }
  for (std::size_t t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      const Observation right{.answer = ClassId{0}, .truth = ClassId{0}};
      for (std::size_t i = 0; i < 60; ++i) {
        const std::string name = "expert " + std::to_string(2 * (i % 60) + t);
        router.observe(name, right);
        router.observe(name, right);
        router.forget(name, right);
        router.set_on_duty(name, i % 3 != 0);
        if (t == 0) router.add_expert("passing");
        if (t == 0) router.remove_expert("passing");
      }
    });
  }
  threads[2].join();
  threads[3].join();
  done = true;
  threads[0].join();
  threads[1].join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GE(read, 2u);
  for (std::size_t j = 0; j < 120; ++j) {
    EXPECT_EQ(router.profile("expert " + std::to_string(j)).answers(), 1u);
  }
}

// The watch sees what is observed, in this order, and changes no decision; a copy goes on alone.
TEST(Router, WatchesWhomItLearnsFrom) {
  std::vector<ExpertContext> contexts = {{"ann", {}}};
  for (int i = 0; i < 80; ++i) {
    contexts[0].rows.push_back({"old-" + std::to_string(i), class_id(i % 2), class_id(i % 2)});
  }
  RouterOptions options;
  Router blind(ClassNames({"a", "b"}), contexts, options);
  options.watch = WatchOptions{.05, 3};
  Router router(ClassNames({"a", "b"}), contexts, options);
  Watch beside(2, old_answers(contexts), {}, {.05, 3});
  EXPECT_TRUE(router.watch().findings().empty());
  Router copy = router.copy();
  for (int i = 0; i < 40; ++i) {
    const Observation wrong{class_id(1 - i % 2), class_id(i % 2)};
    router.observe("ann", wrong);
    blind.observe("ann", wrong);
    beside.observe("ann", {.truth = wrong.truth, .answer = wrong.answer});
  }
  EXPECT_FALSE(router.watch().findings().empty());
  EXPECT_EQ(router.watch().findings(), beside.findings());
  EXPECT_TRUE(copy.watch().findings().empty());
  EXPECT_EQ(router.roster_state(), blind.roster_state());
  EXPECT_EQ(refusal_kind([&] { blind.watch(); }), ErrorKind::kConflict);
  // Who goes on with a watch ends with the same as who was never interrupted.
  RouterOptions going_on;
  going_on.watch_so_far = std::make_shared<const Watch>(copy.watch());
  Router next(copy.roster_state(), going_on);
  for (int i = 0; i < 40; ++i) next.observe("ann", {class_id(1 - i % 2), class_id(i % 2)});
  EXPECT_EQ(next.watch(), router.watch());
  EXPECT_EQ(next.watch().findings(), router.watch().findings());
  going_on.watch_so_far = std::make_shared<const Watch>(7, std::vector<OldAnswers>());
  EXPECT_EQ(refusal_kind([&] { Router(router.roster_state(), going_on); }), ErrorKind::kBadInput);
  // What is refused is not seen.
  EXPECT_THROW(router.observe("ann", {class_id(2), class_id(0)}), Error);
  EXPECT_EQ(router.watch().experts()[0].after.of, 40u);
}

// A router whose answers fade knows the latest: as one that begins with the same answers in the
// same order, bit for bit.
TEST(Router, FadesWhatItLearns) {
  RouterOptions options;
  options.half_life = 10;
  std::vector<ExpertContext> contexts = {{"ann", {}}};
  Router learning(ClassNames({"a", "b"}), contexts, options);
  for (int i = 0; i < 50; ++i) {
    const ContextRow row{"case-" + std::to_string(i), class_id(i % 2),
                         class_id(i < 25 ? 0 : i % 2)};
    contexts[0].rows.push_back(row);
    learning.observe("ann", {row.answer, row.truth, row.case_name});
  }
  const Router whole(ClassNames({"a", "b"}), contexts, options);
  EXPECT_EQ(learning.profile("ann"), whole.profile("ann"));
  EXPECT_EQ(learning.roster_state(), whole.roster_state());
  EXPECT_EQ(Router(learning.roster_state()).profile("ann"), whole.profile("ann"));
  options.half_life = {};
  EXPECT_LT(Router(ClassNames({"a", "b"}), contexts, options).profile("ann").means()[1],
            whole.profile("ann").means()[1]);
  const ExpertProfile before = learning.profile("ann");
  learning.observe("ann", {class_id(0), class_id(1)});
  EXPECT_NE(learning.profile("ann"), before);
  learning.forget("ann", {class_id(0), class_id(1)});
  EXPECT_EQ(learning.profile("ann"), before);
}

// AMX is refused where there is none, instead of being run.
TEST(Router, AmxIsRefusedWhereThereIsNone) {
  if (amx_is_there()) GTEST_SKIP() << "this processor has AMX";
  const GeneratedStaff staff = generated_staff(3, 3, 3, 5);
  RouterOptions options;
  options.policy = "mine";
  options.policy_files = {
      {"mine", std::make_shared<const PolicyFile>(trained_file(StateSet::kPaper, Head::kPlain))}};
  const Router in_float(staff.cases.classes(), staff.contexts, options);
  const std::string expected =
      "this processor has no AMX with bf16; expected one that has it, or bf16 in software";
  RouterEvaluationOptions compared;
  compared.bf16 = Precision::kAmx;
  const AnswerTable answers(in_float.experts(), staff.cases.size());
  compared.missing = RouterEvaluationOptions::Missing::kOffDuty;
  EXPECT_EQ(refusal([&] { in_float.evaluate(staff.cases, answers, compared); }), expected);
  options.precision = Precision::kAmx;
  EXPECT_EQ(refusal([&] { Router(staff.cases.classes(), staff.contexts, options); }), expected);
}

// Everybody of 100,000, each asked for a hundred times: a search through the names would take
// hours.
TEST(Router, FindsNamesAmongMany) {
  std::vector<ExpertContext> contexts;
  for (int j = 0; j < 100'000; ++j) contexts.push_back({"expert " + std::to_string(j), {}});
  contexts[7].rows.push_back({"x", class_id(0), class_id(0)});
  Router router(ClassNames({"a", "b"}), std::move(contexts));
  router.set_on_duty("expert 5", false);
  router.remove_expert("expert 3");
  const std::vector<std::string> names = router.experts();
  std::size_t on_duty = 0;
  for (int round = 0; round < 100; ++round) {
    for (const std::string& name : names) on_duty += router.is_on_duty(name) ? 1 : 0;
  }
  EXPECT_EQ(on_duty, 100U * 99'998);
  EXPECT_EQ(router.profile("expert 7").at(class_id(0)).mean(), 2. / 3);
  EXPECT_FALSE(router.is_on_duty("expert 5"));
  EXPECT_THROW(router.is_on_duty("expert 3"), Error);
}

// A hundred thousand experts, forty times: a search through the names would take many minutes.
TEST(Router, FindsThePolicysExpertsAmongMany) {
  constexpr std::size_t kExperts = 100'000;
  MultiExpertWeights weights;
  weights.classes = 2;
  weights.scaling = {{0}, {1}};
  for (std::size_t j = 0; j < kExperts; ++j) weights.experts.push_back("e" + std::to_string(j));
  weights.head = {1, 2 + kExperts, std::vector<float>(2 + kExperts, 0),
                  std::vector<float>(2 + kExperts, 0)};
  weights.head.bias.back() = 3;
  const std::vector<std::string> backwards(weights.experts.rbegin(), weights.experts.rend());
  const Predictions cases({ClassNames({"a", "b"}), {"x"}, {.5F, .5F}, {}, {0}, 1});
  for (int round = 0; round < 40; ++round) {
    const auto policy = multi_expert_policy(weights, backwards, MarginScale::kLogit);
    ASSERT_EQ(policy->experts(), kExperts);
    if (round > 0) continue;
    std::vector<double> margins(kExperts);
    policy->score(cases, {0, 1}, margins);
    EXPECT_EQ(margins[0], 3);
    EXPECT_EQ(margins[1], 0);
  }
}

}  // namespace
}  // namespace ifd
