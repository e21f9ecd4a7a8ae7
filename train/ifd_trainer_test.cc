#include "train/ifd_trainer.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "ifd/evaluation/budget_curve.h"
#include "ifd/experts/relabelling.h"
#include "ifd/policy/availability.h"
#include "ifd/policy/role_policy.h"
#include "ifd/policy/roster.h"
#include "ifd/policy/scoring.h"
#include "ifd/policy/trained_policy.h"
#include "ifd/policy/untrained.h"
#include "tests/last_checkpoint.h"
#include "tests/refusal.h"
#include "tests/synthetic_problem.h"
#include "tests/synthetic_validation.h"

namespace ifd::train {
namespace {

IfdOptions small(Objective objective, Head head = Head::kPlain) {
  IfdOptions options;
  options.objective = objective;
  options.head = head;
  options.trust = Trust::kMean;
  options.width = 32;
  options.context_size = 1000;
  return options;
}

std::unique_ptr<RolePolicy> policy_of(const TrainedPolicy& trained, const IfdOptions& options,
                                      const Roster& roster,
                                      MarginScale scale = MarginScale::kLogit) {
  PolicyFile file{"ifd", "", trained.tensors, "test"};
  file.metadata_json =
      std::string(R"({"state":")") + (options.state == StateSet::kPaper ? "paper" : "extended") +
      R"(","head":")" + (options.head == Head::kPlain ? "plain" : "residual") + R"("})";
  return role_policy(roster, make_trained_rejector(file, scale));
}

// By hand. Class 0: 3 of 3 right, Beta(4, 1); class 1: the same; class 2: 1 of 2, Beta(2, 2).
TEST(DeferralWeights, FollowTheirDefinitions) {
  ExpertProfile profile(3);
  for (int i = 0; i < 3; ++i) {
    profile.observe({.truth = class_id(0), .answer = class_id(0)});
    profile.observe({.truth = class_id(1), .answer = class_id(1)});
  }
  profile.observe({.truth = class_id(2), .answer = class_id(2)});
  profile.observe({.truth = class_id(2), .answer = Answer::outside()});
  const double lower = .8 - std::sqrt(4.0 / 150), lower2 = .5 - std::sqrt(1.0 / 20);
  const auto weights = [&](Objective objective, Trust trust) {
    IfdOptions options;
    options.objective = objective;
    options.trust = trust;
    return deferral_weights(profile, options);
  };
  const auto expect = [](const std::vector<double>& got, std::vector<double> wanted) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(got[k], wanted[k], 1e-15);
  };
  // Two classes tie for the best: half the weight each.
  expect(weights(Objective::kPeak, Trust::kLowerBound), {lower / 2, lower / 2, 0});
  expect(weights(Objective::kPeak, Trust::kMean), {.4, .4, 0});
  expect(weights(Objective::kPeak, Trust::kBinary), {.5, .5, 0});
  expect(weights(Objective::kPeak, Trust::kOne), {.5, .5, 0});
  expect(weights(Objective::kExpected, Trust::kLowerBound), {lower, lower, lower2});
  expect(weights(Objective::kExpected, Trust::kMean), {.8, .8, .5});
  expect(weights(Objective::kExpected, Trust::kBinary), {.5, .5, 0});
  expect(weights(Objective::kExpected, Trust::kOne), {1, 1, 1});
}

// No query-time labels: the trainer cannot be called with a table of answers in any place.
static_assert(
    std::is_invocable_v<decltype(train_ifd), const Predictions&, std::span<const ExpertContext>,
                        const Validation&, const IfdOptions&, const Schedule&, const Observer&,
                        const Support&>);
static_assert(
    !std::is_invocable_v<decltype(train_ifd), const Predictions&, std::span<const ExpertContext>,
                         const AnswerTable&, const Validation&, const IfdOptions&, const Schedule&,
                         const Observer&, const Support&>);

// Before any step the residual head is the plug-in rule: g_perp = log sum rho mu.
TEST(IfdTrainer, ResidualStartsAtThePlugInRule) {
  const SyntheticProblem problem = synthetic_problem(3, 60, 1);
  Schedule schedule;
  schedule.epochs = 1;
  schedule.learning_rate = 1e-30;  // a step that moves nothing
  const IfdOptions options = small(Objective::kExpected, Head::kResidual);
  const auto trained =
      train_ifd(problem.training, problem.contexts, context_only(problem), options, schedule);
  const Roster roster = make_roster(problem.contexts, 3);
  const Availability everyone(roster.size());
  const auto trained_policy = policy_of(trained, options, roster);
  const auto plug_in = plug_in_policy(roster, MarginScale::kLogit);
  const auto a = all_margins(*trained_policy, problem.validation, everyone);
  const auto b = all_margins(*plug_in, problem.validation, everyone);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
}

// The minimiser of the expected objective with w = mu is g_perp = log sum rho mu (a weighted
// logistic regression whose odds are E[w | z] at a calibrated model), that is the Bayes rule. The
// extended state holds log sum rho mu, so the plain net can express it and must find it.
TEST(IfdTrainer, ExpectedObjectiveApproachesTheBayesRule) {
  const SyntheticProblem problem = synthetic_problem(3, 3000, 2);
  IfdOptions options = small(Objective::kExpected);
  options.state = StateSet::kExtended;
  Schedule schedule;
  schedule.epochs = 25;
  schedule.learning_rate = 3e-3;
  schedule.seed = 5;
  const auto trained =
      train_ifd(problem.training, problem.contexts, context_only(problem), options, schedule);
  EXPECT_LT(trained.summary.epochs.back().loss, trained.summary.epochs.front().loss);
  const Roster roster = make_roster(problem.contexts, 3);
  const auto margins =
      all_margins(*policy_of(trained, options, roster), problem.validation, Availability(2));
  const auto bayes = all_margins(*plug_in_policy(roster, MarginScale::kLogit), problem.validation,
                                 Availability(2));
  double error = 0;
  std::size_t agree = 0;
  for (std::size_t i = 0; i < margins.size(); ++i) {
    error += std::abs(margins[i] - bayes[i]) / static_cast<double>(margins.size());
    agree += (margins[i] >= 0) == (bayes[i] >= 0) ? 1 : 0;
  }
  EXPECT_LT(error, .1);
  EXPECT_GT(agree, margins.size() * 9 / 10);
}

// Permutation invariance survives training: renaming the classes of model and experts together
// changes no bit of a margin.
TEST(IfdTrainer, TrainedPolicyIsBitExactlyInvariant) {
  const SyntheticProblem problem = synthetic_problem(5, 200, 3);
  for (const Head head : {Head::kPlain, Head::kResidual}) {
    IfdOptions options = small(Objective::kPeak, head);
    options.context_size = 20;
    Schedule schedule;
    schedule.epochs = 3;
    const auto trained =
        train_ifd(problem.training, problem.contexts, context_only(problem), options, schedule);
    const auto margins = all_margins(*policy_of(trained, options, make_roster(problem.contexts, 5)),
                                     problem.validation, Availability(2));
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(testing::Message() << "seed " << seed);
      const auto pi = Relabelling::random(5, Key(seed));
      const auto renamed = all_margins(
          *policy_of(trained, options, make_roster(relabelled(problem.contexts, pi), 5)),
          relabelled(problem.validation, pi), Availability(2));
      EXPECT_EQ(margins, renamed);
    }
  }
}

// Nothing in the policy counts classes: trained on three, it routes on seven.
TEST(IfdTrainer, WorksForAnotherNumberOfClasses) {
  const SyntheticProblem three = synthetic_problem(3, 400, 4);
  const SyntheticProblem seven = synthetic_problem(7, 400, 5);
  IfdOptions options = small(Objective::kExpected, Head::kResidual);
  Schedule schedule;
  schedule.epochs = 4;
  const auto trained =
      train_ifd(three.training, three.contexts, context_only(three), options, schedule);
  const Roster roster = make_roster(seven.contexts, 7);
  const auto margins = all_margins(*policy_of(trained, options, roster, MarginScale::kProbability),
                                   seven.validation, Availability(2));
  // Better than the model alone, by the experts' profiles.
  const auto validation = context_only(seven);
  const std::vector<double> nobody(margins.size(), 0.0);
  EXPECT_GT(validation.aursac(margins, 0), validation.aursac(nobody, 0));
}

// Same inputs and seed: the same bits, by any number of threads. Another seed: others. Rows in
// another order: the same draws, so the same batches.
TEST(IfdTrainer, IsReproducible) {
  const SyntheticProblem problem = synthetic_problem(4, 300, 6);
  IfdOptions options;
  options.context_size = 10;
  const auto train_with = [&](std::uint64_t seed, int threads, const Predictions& training) {
    Schedule schedule;
    schedule.epochs = 2;
    schedule.batch = 300;  // with two experts, more rows than a thread takes at once
    schedule.seed = seed;
    schedule.threads = threads;
    return last_checkpoint([&](const Support& support) {
      train_ifd(training, problem.contexts, context_only(problem), options, schedule, {}, support);
    });
  };
  const Checkpoint expected = train_with(1, 1, problem.training);
  EXPECT_FALSE(expected.tensors.empty());
  for (const int threads : {1, 2, 3}) {
    EXPECT_TRUE(train_with(1, threads, problem.training) == expected) << threads << " threads";
  }
  EXPECT_FALSE(train_with(2, 1, problem.training) == expected);
  std::vector<std::size_t> backwards(problem.training.size());
  for (std::size_t i = 0; i < backwards.size(); ++i) backwards[i] = backwards.size() - 1 - i;
  EXPECT_TRUE(train_with(1, 1, problem.training.subset(backwards)) == expected);
}

TEST(IfdTrainer, CountsTheAnswersItUsed) {
  const SyntheticProblem problem = synthetic_problem(3, 60, 7);
  Schedule schedule;
  schedule.epochs = 1;
  const auto trained = train_ifd(problem.training, problem.contexts, context_only(problem),
                                 small(Objective::kPeak), schedule);
  EXPECT_EQ(trained.annotations, problem.contexts[0].rows.size() + problem.contexts[1].rows.size());
}

TEST(IfdTrainer, ALossThatIsNotFiniteIsAnError) {
  const SyntheticProblem problem = synthetic_problem(3, 300, 8);
  Schedule schedule;
  schedule.epochs = 5;
  schedule.learning_rate = 1e18;
  const auto message = refusal([&] {
    train_ifd(problem.training, problem.contexts, context_only(problem), small(Objective::kPeak),
              schedule);
  });
  EXPECT_NE(message.find("is not finite; expected a number (try a smaller learning rate)"),
            std::string::npos)
      << message;
}

// Patience: the score of a net that does not move never improves.
TEST(IfdTrainer, StopsEarlyAndKeepsTheBest) {
  const SyntheticProblem problem = synthetic_problem(3, 60, 9);
  Schedule schedule;
  schedule.epochs = 100;
  schedule.patience = 4;
  schedule.learning_rate = 1e-30;
  const auto trained = train_ifd(problem.training, problem.contexts, context_only(problem),
                                 small(Objective::kPeak), schedule);
  EXPECT_EQ(trained.summary.epochs.size(), 4u);
  EXPECT_EQ(trained.summary.best_epoch, 0u);
}

TEST(IfdTrainer, ObserverCanEndTheTraining) {
  const SyntheticProblem problem = synthetic_problem(3, 60, 9);
  const auto trained = train_ifd(problem.training, problem.contexts, context_only(problem),
                                 small(Objective::kPeak), Schedule{}, [](const EpochReport& epoch) {
                                   return epoch.epoch < 2 ? Continue::kYes : Continue::kNo;
                                 });
  EXPECT_EQ(trained.summary.epochs.size(), 2u);
}

}  // namespace
}  // namespace ifd::train
