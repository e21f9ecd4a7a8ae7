#include "train/baseline_trainer.h"

#include <gtest/gtest.h>

#include "ifd/experts/cohort.h"
#include "ifd/policy/availability.h"
#include "ifd/policy/multi_expert_policy.h"
#include "ifd/policy/population_policy.h"
#include "ifd/policy/roster.h"
#include "ifd/policy/scoring.h"
#include "tests/last_checkpoint.h"
#include "tests/refusal.h"
#include "tests/synthetic_problem.h"
#include "tests/synthetic_validation.h"

namespace ifd::train {
namespace {

Schedule epochs(std::size_t count) {
  Schedule schedule;
  schedule.epochs = count;
  schedule.seed = 3;
  return schedule;
}

// Seen experts, features that hold all of the truth: deferral by the baseline beats no deferral,
// in the trainer's own score and in the core's decisions.
TEST(BaselineTrainer, PopulationLearnsAndTheCoreAgrees) {
  const SyntheticProblem problem = synthetic_problem(3, 600, 1);
  const auto validation = context_only(problem);
  for (const auto encoder :
       {PopulationEncoder::kQueryIndependent, PopulationEncoder::kQueryConditioned}) {
    PopulationOptions options;
    options.encoder = encoder;
    options.width = 32;
    const auto trained = train_population(problem.training, problem.contexts, problem.answers,
                                          validation, options, epochs(4));
    EXPECT_EQ(trained.annotations, 2u * 600u);  // the context's answers are among them
    PolicyFile file{"pop", R"({"classes":["0","1","2"]})", trained.tensors, "test"};
    const auto policy = population_policy(population_weights(file), problem.contexts,
                                          problem.training, MarginScale::kProbability);
    const auto margins = all_margins(*policy, problem.validation, Availability(2));
    EXPECT_NEAR(validation.aursac(margins, 3), trained.summary.best_aursac, 1e-4);
    EXPECT_GT(trained.summary.best_aursac,
              validation.aursac(std::vector<double>(margins.size(), 0.0), 3));
  }
}

// Half of the answers are missing and contexts are everybody's own: it learns from what there is,
// the core agrees, and what was not given is not counted.
TEST(BaselineTrainer, PopulationLearnsFromAnswersOfWhichSomeAreMissing) {
  SyntheticProblem problem = synthetic_problem(3, 600, 1);
  std::size_t given = 0;
  for (std::size_t i = 0; i < problem.training.size(); ++i) {
    for (std::size_t j = 0; j < 2; ++j) {
      if (Key(8).with(i).uniform(j) < .5) {
        problem.answers.set(case_id(i), expert_id(j), Answer::missing());
      } else {
        ++given;
      }
    }
  }
  std::vector<std::size_t> rows(problem.training.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  problem.contexts = contexts_from_answers(problem.answers, problem.training, rows);
  const auto validation = context_only(problem);
  for (const auto encoder :
       {PopulationEncoder::kQueryIndependent, PopulationEncoder::kQueryConditioned}) {
    PopulationOptions options;
    options.encoder = encoder;
    options.width = 32;
    const auto trained = train_population(problem.training, problem.contexts, problem.answers,
                                          validation, options, epochs(4));
    EXPECT_EQ(trained.annotations, given);
    PolicyFile file{"pop", R"({"classes":["0","1","2"]})", trained.tensors, "test"};
    const auto policy = population_policy(population_weights(file), problem.contexts,
                                          problem.training, MarginScale::kProbability);
    const auto margins = all_margins(*policy, problem.validation, Availability(2));
    EXPECT_NEAR(validation.aursac(margins, 3), trained.summary.best_aursac, 1e-4);
    EXPECT_GT(trained.summary.best_aursac,
              validation.aursac(std::vector<double>(margins.size(), 0.0), 3));
  }
}

TEST(BaselineTrainer, RelabelledTrainingDiffersAndIsReproducible) {
  const SyntheticProblem problem = synthetic_problem(4, 200, 2);
  const auto validation = context_only(problem);
  const auto tensors = [&](ClassNaming naming) {
    PopulationOptions options;
    options.naming = naming;
    options.width = 16;
    return train_population(problem.training, problem.contexts, problem.answers, validation,
                            options, epochs(2))
        .tensors;
  };
  EXPECT_EQ(tensors(ClassNaming::kRandom), tensors(ClassNaming::kRandom));
  EXPECT_NE(tensors(ClassNaming::kRandom), tensors(ClassNaming::kFixed));
}

// Drawing from all training cases is drawing from a pool that holds them all, to the last bit; a
// small pool is something else.
TEST(BaselineTrainer, ContextsComeFromAllCasesOrFromThePool) {
  const SyntheticProblem problem = synthetic_problem(3, 300, 5);  // 120 in the pool
  std::vector<std::size_t> rows(problem.training.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const auto everything = contexts_from_answers(problem.answers, problem.training, rows);
  const auto learnt = [&](std::span<const ExpertContext> contexts, ContextSource source) {
    PopulationOptions options;
    options.source = source;
    options.width = 16;
    options.context_size = 12;
    return last_checkpoint([&](const Support& support) {
      train_population(problem.training, contexts, problem.answers, context_only(problem), options,
                       epochs(2), {}, support);
    });
  };
  const Checkpoint of_all = learnt(everything, ContextSource::kAllCases);
  EXPECT_FALSE(of_all.tensors.empty());
  EXPECT_TRUE(of_all == learnt(everything, ContextSource::kPool));
  EXPECT_FALSE(learnt(problem.contexts, ContextSource::kAllCases) ==
               learnt(problem.contexts, ContextSource::kPool));
}

// The head is drawn by the seed, whatever was drawn before.
TEST(BaselineTrainer, MultiExpertIsReproducible) {
  const SyntheticProblem problem = synthetic_problem(3, 60, 2);
  const auto tensors = [&](std::uint64_t seed) {
    Schedule schedule = epochs(2);
    schedule.seed = seed;
    return train_multi_expert(problem.training, problem.answers, context_only(problem),
                              Surrogate::kSoftmax, schedule)
        .tensors;
  };
  EXPECT_EQ(tensors(1), tensors(1));
  EXPECT_NE(tensors(1), tensors(2));
}

// Enough experts and cases that LibTorch would share out the work.
TEST(BaselineTrainer, ThreadsChangeNoBit) {
  const SyntheticProblem problem = synthetic_problem(4, 700, 2);
  const auto validation = context_only(problem);
  const auto expect_same = [](const auto& train) {
    const auto with = [&](int threads) {
      return last_checkpoint([&](const Support& support) { train(threads, support); });
    };
    const Checkpoint expected = with(1);
    EXPECT_FALSE(expected.tensors.empty());
    for (const int threads : {2, 3})
      EXPECT_TRUE(with(threads) == expected) << threads << " threads";
  };
  for (const auto encoder :
       {PopulationEncoder::kQueryIndependent, PopulationEncoder::kQueryConditioned}) {
    expect_same([&](int threads, const Support& support) {
      PopulationOptions options;
      options.encoder = encoder;
      options.naming = ClassNaming::kRandom;
      Schedule schedule = epochs(1);
      schedule.batch = 700;
      schedule.threads = threads;
      train_population(problem.training, problem.contexts, problem.answers, validation, options,
                       schedule, {}, support);
    });
  }
  expect_same([&](int threads, const Support& support) {
    Schedule schedule = epochs(2);
    schedule.threads = threads;
    train_multi_expert(problem.training, problem.answers, validation, Surrogate::kOneVsAll,
                       schedule, {}, support);
  });
}

TEST(BaselineTrainer, MultiExpertLearnsAndTheCoreAgrees) {
  const SyntheticProblem problem = synthetic_problem(3, 600, 3);
  const auto validation = context_only(problem);
  Schedule schedule = epochs(60);
  schedule.learning_rate = 2e-2;
  for (const auto surrogate : {Surrogate::kSoftmax, Surrogate::kOneVsAll}) {
    const auto trained =
        train_multi_expert(problem.training, problem.answers, validation, surrogate, schedule);
    EXPECT_EQ(trained.annotations, 2u * 600u);
    PolicyFile file{"multi-expert",
                    std::string(R"({"classes":["0","1","2"],"experts":["ann","bob"],"link":")") +
                        (surrogate == Surrogate::kSoftmax ? "softmax" : "sigmoid") + "\"}",
                    trained.tensors, "test"};
    const auto weights = multi_expert_weights(file);
    const std::vector<std::string> names = {"ann", "bob"};
    const auto margins =
        all_margins(*multi_expert_policy(weights, names, MarginScale::kProbability),
                    problem.validation, Availability(2));
    EXPECT_NEAR(validation.aursac(margins, 3), trained.summary.best_aursac, 1e-4);
    EXPECT_GT(trained.summary.best_aursac,
              validation.aursac(std::vector<double>(margins.size(), 0.0), 3));
    // It has no column for a newcomer.
    const std::vector<std::string> newcomer = {"eve"};
    EXPECT_EQ(refusal([&] { multi_expert_policy(weights, newcomer, MarginScale::kLogit); }),
              "expert 'eve' is not one this policy was trained with; it knows only ann, bob");
  }
}

TEST(BaselineTrainer, RefusesWhatItCannotUse) {
  const SyntheticProblem problem = synthetic_problem(3, 60, 4);
  const auto validation = context_only(problem);
  auto parts = problem.training.parts();
  parts.features.clear();
  parts.feature_width = 0;
  const Predictions bare(parts);
  EXPECT_EQ(refusal([&] {
              train_multi_expert(bare, problem.answers, validation, Surrogate::kSoftmax, epochs(1));
            }),
            "the training predictions have no features; expected them for this method");
  parts = problem.training.parts();
  parts.features.assign(std::size_t{60} * 2, 1.0F);
  parts.feature_width = 2;
  EXPECT_EQ(refusal([&] {
              train_multi_expert(Predictions(parts), problem.answers, validation,
                                 Surrogate::kSoftmax, epochs(1));
            }),
            "the validation predictions: features of width 3; expected 2");
  auto contexts = problem.contexts;
  contexts[0].rows[0].case_name = contexts[1].rows[0].case_name = "elsewhere";
  EXPECT_EQ(refusal([&] {
              train_population(problem.training, contexts, problem.answers, validation, {},
                               epochs(1));
            }),
            "context case 'elsewhere' is not among the training predictions; expected its features "
            "there");
}

}  // namespace
}  // namespace ifd::train
