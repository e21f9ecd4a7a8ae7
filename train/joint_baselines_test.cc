#include "train/joint_baselines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "ifd/policy/availability.h"
#include "ifd/policy/multi_expert_policy.h"
#include "ifd/policy/population_policy.h"
#include "ifd/policy/roster.h"
#include "ifd/policy/scoring.h"
#include "tests/coloured_shapes.h"
#include "tests/finite_difference.h"
#include "tests/scratch_directory.h"
#include "train/tensor_exchange.h"

namespace ifd::train {
namespace {

enum class Baseline { kPopulation, kMultiExpert };

// Every law for both methods.
class JointBaselines : public testing::TestWithParam<Baseline> {
 protected:
  JointBaselines() : answers_({"ann", "bob"}, 45) {
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
    for (std::size_t j = 0; j < 2; ++j) {
      ExpertContext context{answers_.expert_names()[j], {}};
      for (std::size_t i = 0; i < 45; ++i) {
        const std::size_t truth = i % 3;
        const bool right = truth == j || i % 2 == 0;
        const ClassId answer = class_id(right ? truth : (truth + 1) % 3);
        answers_.set(case_id(i), expert_id(j), answer);
        if (i < 30) {
          context.rows.push_back({"train-" + std::to_string(i), class_id(truth), answer});
        }
      }
      contexts_.push_back(context);
    }
    schedule_.batch = 16;
    options_.width = 16;
    options_.context_size = 10;
    update_.learning_rate = 1e-3;
  }

  JointImages images() { return read_joint_images(scratch_ / "m", scratch_ / "shapes.npz"); }
  Validation validation(const Predictions& cases) {
    const Roster roster = make_roster(contexts_, 3);
    return Validation::from_profiles(cases, roster.names, roster.profiles, "v");
  }
  JointBaselineLesson lesson(JointImages& data) { return {data, answers_, contexts_, update_}; }
  TrainedPolicy train(JointImages& data, const Observer& observer = {},
                      const Support& support = {}) {
    const auto judge = validation(data.validation_predictions);
    return GetParam() == Baseline::kPopulation
               ? train_joint_population(lesson(data), judge, options_, schedule_, observer, support)
               : train_joint_multi_expert(lesson(data), judge, Surrogate::kSoftmax, schedule_,
                                          observer, support);
  }
  std::unique_ptr<Learner> learner(JointImages& data) {
    return GetParam() == Baseline::kPopulation
               ? joint_population_learner(lesson(data), options_, 1)
               : joint_multi_expert_learner(lesson(data), Surrogate::kSoftmax, 1);
  }
  static Predictions said(JointImages& data, const ClassifierInputs& of) {
    return classify(data.classifier, of, ClassNames::numbered(3));
  }

  ScratchDirectory scratch_;
  AnswerTable answers_;
  std::vector<ExpertContext> contexts_;
  ClassifierUpdate update_;
  PopulationOptions options_;
  Schedule schedule_ = kJointSchedule;
};

TEST_P(JointBaselines, WithoutALearningRateTheClassifierStaysAsItWas) {
  auto data = images();
  schedule_.epochs = 1;
  update_.learning_rate = 0;
  train(data);
  EXPECT_EQ(said(data, data.validation).parts().probabilities,
            data.validation_predictions.parts().probabilities);
}

// Both nets learn, and what is left decides in the core, on the predictions of the classifier that
// is left, as it did in training.
TEST_P(JointBaselines, LearnAndTheCoreAgrees) {
  auto data = images();
  schedule_.epochs = 6;
  schedule_.patience = 6;
  const auto trained = train(data);
  const auto& epochs = trained.summary.epochs;
  ASSERT_EQ(epochs.size(), 6U);
  EXPECT_LT(epochs.back().loss, epochs.front().loss);
  EXPECT_GT(trained.summary.best_epoch, 0U);
  EXPECT_EQ(trained.annotations, 90U);
  const Predictions cases = said(data, data.validation);
  EXPECT_NE(cases.parts().probabilities, data.validation_predictions.parts().probabilities);
  const PolicyFile file{"test",
                        R"({"classes":["0","1","2"],"experts":["ann","bob"],"link":"softmax"})",
                        trained.tensors, "test"};
  const auto policy = GetParam() == Baseline::kPopulation
                          ? population_policy(population_weights(file), contexts_,
                                              said(data, data.training), MarginScale::kProbability)
                          : multi_expert_policy(multi_expert_weights(file), answers_.expert_names(),
                                                MarginScale::kProbability);
  const auto margins = all_margins(*policy, cases, Availability(2));
  EXPECT_NEAR(validation(cases).aursac(margins, schedule_.seed), trained.summary.best_aursac, 1e-4);
}

// A feature that never varied may begin to: it is scaled, though not as if it varied.
TEST_P(JointBaselines, ADeadFeatureIsScaledLikeOthers) {
  auto data = images();
  const auto parts = [](const Predictions& of) {
    Predictions::Parts copied = of.parts();
    for (std::size_t i = 0; i < copied.cases.size(); ++i) {
      copied.features[i * copied.feature_width] = 0;
    }
    return copied;
  };
  data.training_predictions = Predictions(parts(data.training_predictions));
  schedule_.epochs = 1;
  const auto trained = train(data);
  for (const Tensor& tensor : trained.tensors) {
    for (const float value : tensor.values) ASSERT_TRUE(std::isfinite(value)) << tensor.name;
    if (tensor.name != "feature_scale") continue;
    std::vector<float> sorted = tensor.values;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_GT(sorted.front(), 0);
    EXPECT_EQ(tensor.values.front(), sorted.back());
    EXPECT_LT(sorted.back(), 11 * sorted[sorted.size() / 2]);
  }
}

// The whole of both losses against central differences: all that decides, and the classifier's last
// layer; for Multi-Expert the backbone too. (L2D-Pop reads the context's features without a
// gradient, which differences would notice.)
TEST_P(JointBaselines, GradientsAreThoseOfCentralDifferences) {
  auto data = images();
  update_.augmentation = {Symmetry::kNone, 0};
  const auto net = learner(data);
  net->module().to(torch::kFloat64);
  for (auto& parameter : net->module().parameters()) {  // convolutions come with channels last
    parameter.set_data(parameter.contiguous());
  }
  net->begin_epoch(1);
  const auto rows = torch::arange(8, torch::kInt64);
  std::vector<torch::Tensor> checked;
  for (const auto& item : net->module().named_parameters()) {
    const bool body =
        item.key().starts_with("classifier.") && !item.key().starts_with("classifier.fc.");
    if (body && GetParam() == Baseline::kPopulation) continue;
    if (item.value().dim() == 1 && body) continue;  // norms: a kink of a ReLU is close to many
    checked.push_back(item.value());
  }
  expect_gradients([&] { return net->loss(rows, 0); }, checked, 3);
}

// Backbone, head and what decides: nothing is left out of the training.
TEST_P(JointBaselines, EveryParameterLearns) {
  auto data = images();
  const auto net = learner(data);
  net->begin_epoch(1);
  net->loss(torch::arange(45, torch::kInt64), 0).backward();
  for (const auto& item : net->module().named_parameters()) {
    ASSERT_TRUE(item.value().grad().defined()) << item.key();
    EXPECT_GT(item.value().grad().abs().max().item<float>(), 0) << item.key();
  }
}

TEST_P(JointBaselines, ThreadsChangeNothingButRounding) {
  schedule_.epochs = 2;
  const auto with_threads = [&](int threads) {
    schedule_.threads = threads;
    auto data = images();
    return train(data).summary.epochs;
  };
  const auto one = with_threads(1), two = with_threads(2);
  ASSERT_EQ(one.size(), two.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i].loss, two[i].loss, 1e-4);
}

TEST_P(JointBaselines, ResumingLeavesNoTrace) {
  schedule_.epochs = 3;
  auto whole = images();
  const auto trained = train(whole);
  std::string bytes;
  Support keep;
  keep.keep_checkpoint = [&](const Checkpoint& checkpoint) {
    bytes = checkpoint_file(checkpoint, "{}").to_bytes();
  };
  auto ended = images();
  const auto first = train(
      ended, [](const EpochReport&) { return Continue::kNo; }, keep);
  ASSERT_TRUE(first.summary.interrupted);
  const Checkpoint checkpoint = checkpoint_from(PolicyFile::from_bytes(bytes, "c"), "{}");
  Support resume;
  resume.resume = &checkpoint;
  auto resumed = images();
  const auto rest = train(resumed, {}, resume);
  EXPECT_EQ(rest.tensors, trained.tensors);
  EXPECT_EQ(rest.summary, trained.summary);
  EXPECT_EQ(parameters_of(resumed.classifier.backbone(), ""),
            parameters_of(whole.classifier.backbone(), ""));
}

INSTANTIATE_TEST_SUITE_P(Methods, JointBaselines,
                         testing::Values(Baseline::kPopulation, Baseline::kMultiExpert),
                         [](const auto& method) {
                           return method.param == Baseline::kPopulation ? "Population"
                                                                        : "MultiExpert";
                         });

}  // namespace
}  // namespace ifd::train
