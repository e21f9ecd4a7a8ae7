#include "train/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ifd/policy/roster.h"
#include "tests/refusal.h"
#include "tests/synthetic_problem.h"
#include "tests/synthetic_validation.h"
#include "train/baseline_trainer.h"
#include "train/ifd_trainer.h"

namespace ifd::train {
namespace {

Schedule schedule() {
  Schedule made;
  made.epochs = 7;
  made.patience = 4;
  made.batch = 32;
  made.seed = 3;
  return made;
}

using Train = std::function<TrainedPolicy(const Observer&, const Support&)>;

// Ends after epoch 3 and goes on from the bytes of the checkpoint kept then.
TrainedPolicy interrupted_and_resumed(const Train& train) {
  std::string bytes;
  Support support;
  support.keep_checkpoint = [&](const Checkpoint& checkpoint) {
    bytes = checkpoint_file(checkpoint, R"({"seed":3})").to_bytes();
  };
  const auto first = train(
      [](const EpochReport& epoch) { return epoch.epoch < 3 ? Continue::kYes : Continue::kNo; },
      support);
  EXPECT_TRUE(first.summary.interrupted);
  EXPECT_EQ(first.summary.epochs.size(), 3u);
  const Checkpoint read = checkpoint_from(PolicyFile::from_bytes(bytes, "c"), R"({"seed":3})");
  Support resumed;
  resumed.resume = &read;
  return train({}, resumed);
}

void expect_no_trace(const Train& train) {
  const TrainedPolicy whole = train({}, {});
  const TrainedPolicy resumed = interrupted_and_resumed(train);
  EXPECT_EQ(resumed.tensors, whole.tensors);
  EXPECT_EQ(resumed.summary, whole.summary);
  EXPECT_GT(whole.summary.epochs.size(), 3u);
}

// Interrupted and resumed, a training ends with the same bits as without the interruption.
TEST(Checkpoint, ResumingLeavesNoTraceInIdentityFreeTraining) {
  const SyntheticProblem problem = synthetic_problem(3, 150, 1);
  for (const Head head : {Head::kPlain, Head::kResidual}) {
    expect_no_trace([&](const Observer& observer, const Support& support) {
      IfdOptions options;
      options.head = head;
      options.width = 16;
      return train_ifd(problem.training, problem.contexts, context_only(problem), options,
                       schedule(), observer, support);
    });
  }
}

TEST(Checkpoint, ResumingLeavesNoTraceInTheBaselines) {
  const SyntheticProblem problem = synthetic_problem(3, 100, 2);
  for (const auto encoder :
       {PopulationEncoder::kQueryIndependent, PopulationEncoder::kQueryConditioned}) {
    expect_no_trace([&](const Observer& observer, const Support& support) {
      PopulationOptions options;
      options.encoder = encoder;
      options.naming = ClassNaming::kRandom;
      options.width = 16;
      return train_population(problem.training, problem.contexts, problem.answers,
                              context_only(problem), options, schedule(), observer, support);
    });
  }
  expect_no_trace([&](const Observer& observer, const Support& support) {
    return train_multi_expert(problem.training, problem.answers, context_only(problem),
                              Surrogate::kSoftmax, schedule(), observer, support);
  });
}

// No step depends on how many are to come: three epochs and three more are six, and a patience that
// is larger from some epoch on is as good as one that was so from the start.
TEST(Checkpoint, AFinishedTrainingGoesOnAsALongerOne) {
  const SyntheticProblem problem = synthetic_problem(3, 100, 4);
  const auto train = [&](std::size_t epochs, std::size_t patience, const Support& support) {
    IfdOptions options;
    options.width = 8;
    Schedule length = schedule();
    length.epochs = epochs;
    length.patience = patience;
    return train_ifd(problem.training, problem.contexts, context_only(problem), options, length, {},
                     support);
  };
  const auto twice = [&](std::size_t epochs, std::size_t patience, std::size_t longer,
                         std::size_t more_patient) {
    std::vector<Checkpoint> kept;
    Support keeping;
    keeping.keep_last = true;
    keeping.keep_checkpoint = [&](const Checkpoint& checkpoint) { kept.push_back(checkpoint); };
    const TrainedPolicy first = train(epochs, patience, keeping);
    EXPECT_EQ(kept.size(), 1U);
    EXPECT_EQ(kept.front().summary, first.summary);
    Support resuming;
    resuming.resume = &kept.front();
    return std::pair{first, train(longer, more_patient, resuming)};
  };
  const TrainedPolicy six = train(6, 6, {});
  const auto [three, more] = twice(3, 6, 6, 6);
  EXPECT_EQ(three.summary.epochs.size(), 3U);
  EXPECT_EQ(more.tensors, six.tensors);
  EXPECT_EQ(more.summary, six.summary);

  const TrainedPolicy patient = train(60, 60, {});
  const auto [impatient, again] = twice(60, 1, 60, 60);
  EXPECT_LT(impatient.summary.epochs.size(), 60U) << "nothing was stopped early";
  EXPECT_EQ(again.tensors, patient.tensors);
  EXPECT_EQ(again.summary, patient.summary);
}

// A checkpoint is kept when it is due, and not otherwise.
TEST(Checkpoint, IsKeptWhenDue) {
  const SyntheticProblem problem = synthetic_problem(3, 60, 3);
  IfdOptions options;
  options.width = 8;
  std::size_t asked = 0;
  std::vector<std::size_t> kept;
  Support support;
  support.checkpoint_due = [&] { return ++asked % 3 == 0; };
  support.keep_checkpoint = [&](const Checkpoint& checkpoint) {
    kept.push_back(checkpoint.summary.epochs.size());
  };
  Schedule long_enough = schedule();
  long_enough.patience = 7;
  train_ifd(problem.training, problem.contexts, context_only(problem), options, long_enough, {},
            support);
  EXPECT_EQ(asked, 7u);
  EXPECT_EQ(kept, (std::vector<std::size_t>{3, 6}));
}

TEST(Checkpoint, OfAnotherTrainingIsRefused) {
  Checkpoint checkpoint;
  checkpoint.summary.epochs.push_back({1, .1, .3, true});
  checkpoint.summary.start_aursac = .2;
  checkpoint.summary.best_epoch = 1;
  checkpoint.summary.best_aursac = .3;
  checkpoint.tensors.push_back({"now/x", {1}, {.1F}});
  checkpoint.adam_steps = {4};
  PolicyFile file = checkpoint_file(checkpoint, R"({"seed":1,"batch":128})");
  file.source = "p.checkpoint";
  EXPECT_EQ(checkpoint_from(file, R"({"seed":1,"batch":128})"), checkpoint);
  EXPECT_EQ(refusal([&] { checkpoint_from(file, R"({"seed":1,"batch":64})"); }),
            "p.checkpoint: the checkpoint of another training: its batch is 128; expected 64");
  EXPECT_EQ(refusal([&] { checkpoint_from(file, R"({"seed":1,"batch":128,"head":"plain"})"); }),
            "p.checkpoint: the checkpoint of another training: its head is none; expected "
            "\"plain\"");
  PolicyFile short_one = checkpoint_file(checkpoint, R"({"seed":1,"epochs":3,"patience":4})");
  const std::string longer = R"({"seed":1,"epochs":6,"patience":4})";
  EXPECT_EQ(checkpoint_from(short_one, longer), checkpoint);
  EXPECT_EQ(changed_length(short_one, longer), "epochs 6 instead of 3");
  EXPECT_EQ(changed_length(short_one, R"({"seed":1,"epochs":6,"patience":9})"),
            "epochs 6 instead of 3, patience 9 instead of 4");
  EXPECT_EQ(changed_length(short_one, R"({"seed":1,"epochs":3,"patience":4})"), "");
  EXPECT_THAT(refusal([&] { checkpoint_from(short_one, R"({"seed":2,"epochs":6,"patience":4})"); }),
              testing::HasSubstr("its seed is 1; expected 2"));
  file.method = "ifd";
  EXPECT_EQ(refusal([&] { checkpoint_from(file, "{}"); }),
            "p.checkpoint: holds method 'ifd'; expected a checkpoint of 'ifd train'");
  file.method = "checkpoint";
  file.metadata_json = R"({"settings":{},"training":{"epochs":3}})";
  EXPECT_EQ(refusal([&] { checkpoint_from(file, "{}"); }),
            "p.checkpoint: metadata key 'training' has no 'start_aursac'; expected it");
}

// Altered, with its checksum made right again: what cannot have come out of a training.
TEST(Checkpoint, ThatNoTrainingWritesIsRefused) {
  Checkpoint good;
  good.summary = {{{1, .7, .3, true}, {2, .6, .25, false}}, .2, 1, .3, false};
  good.tensors = {{"now/x", {1}, {.1F}}, {"moment2/x", {1}, {.1F}}};
  good.adam_steps = {8};
  const auto said = [&](const auto& alter) {
    Checkpoint altered = good;
    alter(altered);
    PolicyFile file = checkpoint_file(altered, "{}");
    file.source = "c";
    return refusal([&] { checkpoint_from(file, "{}"); });
  };
  EXPECT_EQ(said([](Checkpoint&) {}), "");
  EXPECT_EQ(said([](Checkpoint& c) { c.summary.epochs[1].aursac = 1.5; }),
            "c: the checkpoint has AURSAC 1.5; expected 0..1");
  EXPECT_EQ(said([](Checkpoint& c) { c.summary.start_aursac = -1; }),
            "c: the checkpoint has AURSAC -1; expected 0..1");
  EXPECT_EQ(said([](Checkpoint& c) { c.summary.epochs[1].aursac = .4; }),
            "c: epoch 2 of the checkpoint is not called the best so far, which its AURSAC of 0.4 "
            "denies");
  EXPECT_EQ(said([](Checkpoint& c) { c.summary.best_epoch = 7; }),
            "c: the checkpoint's best is epoch 7 with AURSAC 0.3; expected epoch 1 with 0.3, by "
            "its scores");
  EXPECT_EQ(said([](Checkpoint& c) { c.summary.best_aursac = .9; }),
            "c: the checkpoint's best is epoch 1 with AURSAC 0.9; expected epoch 1 with 0.3, by "
            "its scores");
  EXPECT_EQ(said([](Checkpoint& c) { c.tensors[0].values[0] = std::nanf(""); }),
            "c: tensor 'now/x' of the checkpoint holds nan; expected finite numbers");
  EXPECT_EQ(said([](Checkpoint& c) { c.tensors[1].values[0] = -.5F; }),
            "c: tensor 'moment2/x' of the checkpoint holds -0.5; expected 0 or more");

  Schedule four_batches;
  four_batches.epochs = 3;
  four_batches.batch = 32;
  const auto progress = [&](const auto& alter) {
    Checkpoint altered = good;
    alter(altered);
    return refusal([&] { check_progress(altered, four_batches, 100); });
  };
  EXPECT_EQ(progress([](Checkpoint&) {}), "");
  EXPECT_EQ(progress([](Checkpoint& c) { c.adam_steps = {0}; }), "");
  for (const std::int64_t steps : {-1, 4, 9}) {
    EXPECT_EQ(progress([&](Checkpoint& c) { c.adam_steps = {steps}; }),
              "the checkpoint has " + std::to_string(steps) +
                  " steps of Adam; expected 8, one per batch of its 2 epochs, or 0");
  }
  EXPECT_EQ(progress([](Checkpoint& c) { c.summary.epochs.clear(); }),
            "the checkpoint has 0 epochs; expected 1..3");
  EXPECT_EQ(progress([](Checkpoint& c) { c.summary.epochs.resize(4); }),
            "the checkpoint has 4 epochs; expected 1..3");
}

// The same where only the net can tell.
TEST(Checkpoint, ThatDoesNotFitTheNetIsRefused) {
  const SyntheticProblem problem = synthetic_problem(3, 60, 3);
  Schedule one = schedule();
  one.epochs = 1;
  const auto train = [&](const Support& support) {
    IfdOptions options;
    options.width = 8;
    train_ifd(problem.training, problem.contexts, context_only(problem), options, one, {}, support);
  };
  Checkpoint kept;
  Support keeping;
  keeping.checkpoint_due = [] { return true; };
  keeping.keep_checkpoint = [&](const Checkpoint& checkpoint) { kept = checkpoint; };
  train(keeping);
  const auto said = [&](const auto& alter) {
    Checkpoint altered = kept;
    alter(altered);
    Support resuming;
    resuming.resume = &altered;
    return refusal([&] { train(resuming); });
  };
  EXPECT_EQ(said([](Checkpoint&) {}), "");
  EXPECT_EQ(said([](Checkpoint& c) {
              c.tensors.push_back({"now/more", {1}, {0}});
            }),
            "the checkpoint's tensor 'now/more' has no place in the net");
  EXPECT_EQ(said([](Checkpoint& c) { c.adam_steps[0] = 0; }),
            "the checkpoint's tensor 'moment1/0.weight' has no place in the net");
  EXPECT_EQ(said([](Checkpoint& c) { c.adam_steps.pop_back(); }),
            "the checkpoint has 11 parameters; expected 12");
  if (kept.summary.best_epoch == 1) {
    EXPECT_EQ(said([](Checkpoint& c) {
                const auto best = std::ranges::find(c.tensors, "best/0.weight", &Tensor::name);
                best->values[0] += 1;
              }),
              "the checkpoint's best weights are not those of epoch 1; expected the same, since it "
              "is the best");
  }
}

TEST(Checkpoint, OfAnotherNetIsRefused) {
  const SyntheticProblem problem = synthetic_problem(3, 60, 3);
  Checkpoint kept;
  Support keeping;
  keeping.checkpoint_due = [] { return true; };
  keeping.keep_checkpoint = [&](const Checkpoint& checkpoint) { kept = checkpoint; };
  Support resuming;
  resuming.resume = &kept;
  const auto train = [&](std::size_t width, const Support& support) {
    IfdOptions options;
    options.width = width;
    Schedule one = schedule();
    one.epochs = 1;
    train_ifd(problem.training, problem.contexts, context_only(problem), options, one, {}, support);
  };
  train(8, keeping);
  EXPECT_EQ(refusal([&] { train(16, resuming); }),
            "the checkpoint has no tensor 'now/0.weight' of the shape this net has; expected the "
            "checkpoint of a net like it");
}

}  // namespace
}  // namespace ifd::train
