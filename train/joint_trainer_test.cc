#include "train/joint_trainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ifd/policy/roster.h"
#include "ifd/role/role_reader.h"
#include "tests/coloured_shapes.h"
#include "tests/finite_difference.h"
#include "tests/scratch_directory.h"
#include "train/losses.h"
#include "train/rejector_net.h"
#include "train/tensor_exchange.h"

namespace ifd::train {
namespace {

std::vector<ExpertProfile> profiles_of(std::size_t classes, std::size_t experts, int answers,
                                       std::uint64_t seed) {
  std::vector<ExpertProfile> profiles;
  for (std::size_t j = 0; j < experts; ++j) {
    ExpertProfile profile(classes);
    for (std::size_t k = 0; k < classes; ++k) {
      for (int i = 0; i < answers; ++i) {
        const bool right = Key(seed).with(j).with(k).uniform(static_cast<std::uint64_t>(i)) < .6;
        profile.observe(
            {.truth = class_id(k), .answer = right ? class_id(k) : class_id((k + 1) % classes)});
      }
    }
    profiles.push_back(profile);
  }
  return profiles;
}

// The same numbers as the core's one door, ties included: few answers make ties in mu common, and
// probabilities in quarters make ties in rho common.
TEST(DifferentiableRoles, ReadWhatTheCoreReads) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    constexpr std::size_t kClasses = 4;
    const auto profiles = profiles_of(kClasses, 3, 2, seed);
    std::vector<float> rho(kClasses, 0.F);
    for (std::uint64_t quarter = 0; quarter < 4; ++quarter) {
      rho[Key(seed).with("rho").below(kClasses, quarter)] += .25F;
    }
    const auto tensor = torch::tensor(at::ArrayRef<float>(rho)).view({1, kClasses});
    const auto log_rho = tensor.clamp_min(1e-30).log();
    const auto got =
        DifferentiableRoles(profiles, StateSet::kExtended).states(tensor, log_rho).squeeze(0);
    for (std::size_t j = 0; j < profiles.size(); ++j) {
      const auto expected = extended_role_state(rho, profiles[j]).numbers();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const float number =
            got[static_cast<std::int64_t>(j)][static_cast<std::int64_t>(i)].item<float>();
        if (i < 6 || i > 8) {
          EXPECT_EQ(number, static_cast<float>(expected[i])) << "number " << i;
        } else {
          EXPECT_NEAR(number, expected[i], 1e-5) << "number " << i;
        }
      }
    }
  }
}

// The whole of joint training in small: a linear classifier, the states, the rejector, the loss. If
// rho in the state were detached, the classifier's gradient would miss what the rejector adds.
TEST(JointTraining, GradientsFlowThroughTheStates) {
  const auto profiles = profiles_of(3, 2, 7, 5);
  for (const StateSet state : {StateSet::kPaper, StateSet::kExtended}) {
    SCOPED_TRACE(state == StateSet::kPaper ? "paper" : "extended");
    const DifferentiableRoles roles(profiles, state, torch::kFloat64);
    auto classifier = torch::nn::Linear(4, 3);
    auto rejector = MlpNet(std::vector<std::int64_t>{state == StateSet::kPaper ? 6 : 12, 8, 1});
    initialise(*classifier, Key(1));
    initialise(*rejector, Key(2));
    classifier->to(torch::kFloat64);
    rejector->to(torch::kFloat64);
    const auto x = torch::linspace(-2, 2, 20, torch::kFloat64).view({5, 4}).sin();
    const auto labels = torch::tensor({0, 1, 2, 1, 0}, torch::kInt64);
    const auto weights = torch::linspace(.1, .9, 10, torch::kFloat64).view({5, 2});
    const auto loss = [&] {
      const auto log_rho = classifier(x).log_softmax(1);
      const auto perp = rejector(roles.states(log_rho.exp(), log_rho)).squeeze(2) +
                        roles.log_expected_accuracy(log_rho);
      return deferral_loss(log_rho, perp, labels, weights);
    };
    auto all = classifier->parameters();
    for (const auto& parameter : rejector->parameters()) all.push_back(parameter);
    expect_gradients(loss, all);
  }
}

class JointTrainer : public testing::Test {
 protected:
  JointTrainer() {
    scratch_.put("shapes.npz", coloured_shapes_npz(45, 12));
    const auto training = inputs_of(coloured_shapes(45, 12, "train"), Split::kTrain);
    BackboneClassifier classifier({{BackboneKind::kResnetSmall, Stem::kSmall, 3, 3},
                                   12,
                                   12,
                                   ClassNames::numbered(3),
                                   normalisation_of(training)},
                                  "m");
    initialise_backbone(classifier.backbone(), Key(1));
    classifier.write(scratch_ / "m", {});
    for (const char* name : {"ann", "bob"}) {
      ExpertContext context{name, {}};
      for (std::size_t i = 0; i < 30; ++i) {
        const std::size_t truth = i % 3;
        const bool right = truth == contexts_.size() || i % 2 == 0;
        context.rows.push_back({"train-" + std::to_string(i), class_id(truth),
                                class_id(right ? truth : (truth + 1) % 3)});
      }
      contexts_.push_back(context);
    }
    schedule_.batch = 16;
    options_.width = 16;
    options_.objective = Objective::kExpected;
  }

  JointImages images() { return read_joint_images(scratch_ / "m", scratch_ / "shapes.npz"); }
  Validation validation(const JointImages& images) {
    const Roster roster = make_roster(contexts_, 3);
    return Validation::from_profiles(images.validation_predictions, roster.names, roster.profiles,
                                     "v");
  }
  static std::vector<float> probabilities(JointImages& images) {
    return classify(images.classifier, images.validation, ClassNames::numbered(3))
        .parts()
        .probabilities;
  }

  ScratchDirectory scratch_;
  std::vector<ExpertContext> contexts_;
  TrainedPolicy train(JointImages& data, const Observer& observer = {},
                      const Support& support = {}) {
    return train_joint(data, contexts_, validation(data), options_, update_, schedule_, observer,
                       support);
  }

  IfdOptions options_;
  ClassifierUpdate update_;
  Schedule schedule_ = kJointSchedule;
};

TEST_F(JointTrainer, WithoutALearningRateTheClassifierStaysAsItWas) {
  auto data = images();
  const auto before = probabilities(data);
  EXPECT_EQ(before, data.validation_predictions.parts().probabilities);
  schedule_.epochs = 1;
  update_.learning_rate = 0;
  train(data);
  EXPECT_EQ(probabilities(data), before);
}

// The loss falls and the classifier moves; the best epoch's score is that of the weights left.
TEST_F(JointTrainer, TrainsClassifierAndRejectorTogether) {
  auto data = images();
  const auto before = probabilities(data);
  schedule_.epochs = 6;
  schedule_.patience = 6;
  update_.learning_rate = 1e-3;
  const auto trained = train(data);
  const auto& epochs = trained.summary.epochs;
  ASSERT_EQ(epochs.size(), 6U);
  EXPECT_LT(epochs.back().loss, epochs.front().loss);
  EXPECT_GT(trained.summary.best_epoch, 0U);
  EXPECT_NE(probabilities(data), before);
  EXPECT_EQ(trained.tensors.size(), 12U);
  EXPECT_EQ(trained.annotations, 60U);
  // The same again gives the same weights.
  auto again = images();
  train(again);
  EXPECT_EQ(probabilities(again), probabilities(data));
}

// Another number of threads cuts the sums of convolutions elsewhere.
TEST_F(JointTrainer, ThreadsChangeNothingButRounding) {
  schedule_.epochs = 3;
  update_.learning_rate = 1e-3;
  const auto with_threads = [&](int threads) {
    schedule_.threads = threads;
    auto data = images();
    const auto trained = train(data);
    return std::pair(trained.summary.epochs, probabilities(data));
  };
  const auto [epochs, chances] = with_threads(1);
  const auto [epochs2, chances2] = with_threads(2);
  ASSERT_EQ(epochs.size(), epochs2.size());
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    EXPECT_NEAR(epochs2[i].loss, epochs[i].loss, 1e-4) << "epoch " << i;
  }
  EXPECT_THAT(chances2, testing::Pointwise(testing::FloatNear(1e-3F), chances));
}

// Ended after one epoch and resumed from the bytes of the checkpoint kept then, both nets have the
// bits of a training without the interruption, whichever epoch is best.
TEST_F(JointTrainer, ResumingLeavesNoTrace) {
  schedule_.epochs = 4;
  for (const double rate : {1e-3, 1e-2}) {
    SCOPED_TRACE(testing::Message() << "classifier's rate " << rate);
    update_.learning_rate = rate;
    auto whole = images();
    const auto trained = train(whole);
    ASSERT_EQ(trained.summary.epochs.size(), 4U);

    std::string bytes;
    Support keep;
    keep.keep_checkpoint = [&](const Checkpoint& checkpoint) {
      bytes = checkpoint_file(checkpoint, "{}").to_bytes();
    };
    auto ended = images();
    const auto first = train(
        ended, [](const EpochReport&) { return Continue::kNo; }, keep);
    EXPECT_TRUE(first.summary.interrupted);
    ASSERT_EQ(first.summary.epochs.size(), 1U);
    const Checkpoint checkpoint = checkpoint_from(PolicyFile::from_bytes(bytes, "c"), "{}");
    Support resume;
    resume.resume = &checkpoint;
    auto resumed = images();
    const auto rest = train(resumed, {}, resume);
    EXPECT_EQ(rest.tensors, trained.tensors);
    EXPECT_EQ(rest.summary, trained.summary);
    EXPECT_EQ(parameters_of(resumed.classifier.backbone(), ""),
              parameters_of(whole.classifier.backbone(), ""));
    EXPECT_EQ(probabilities(resumed), probabilities(whole));
  }
}

}  // namespace
}  // namespace ifd::train
