#include "train/joint_baselines.h"

#include <torch/nn/modules/linear.h>
#include <torch/optim/adam.h>

#include <algorithm>
#include <cassert>
#include <optional>

#include "ifd/policy/feature_scaling.h"
#include "train/context_sampler.h"
#include "train/losses.h"
#include "train/multi_expert_head.h"
#include "train/population_net.h"
#include "train/rejector_net.h"
#include "train/shared_context.h"
#include "train/tensor_exchange.h"

namespace ifd::train {
namespace {

constexpr std::int64_t kBaselineEvaluationBatch = 256;

// Features that hardly ever vary may begin to, so none is stretched more than ten times as far as
// the one in the middle.
FeatureScaling scaling_to_start_from(const Predictions& training) {
  FeatureScaling scaling = FeatureScaling::fit(training);
  std::vector<float> sorted;
  for (const float scale : scaling.scale) {
    if (scale > 0) sorted.push_back(scale);
  }
  std::sort(sorted.begin(), sorted.end());
  const float most = sorted.empty() ? 1 : 10 * sorted[sorted.size() / 2];
  for (float& scale : scaling.scale) scale = scale > 0 ? std::min(scale, most) : most;
  return scaling;
}

// Classifier and what decides beside it, as one net.
class PairedNet : public torch::nn::Module {
 public:
  PairedNet(BackboneImpl& classifier, std::shared_ptr<torch::nn::Module> own) {
    register_module("classifier", classifier.shared_from_this());
    register_module("own", std::move(own));
  }
};

// What a batch looks like to what decides.
struct Seen {
  torch::Tensor phi;     // scaled features, B x D
  torch::Tensor logits;  // of the classes, B x K
};

// What the two methods share: images through the classifier, answers, rates.
class JointBaselineLearner : public Learner {
 public:
  JointBaselineLearner(const JointBaselineLesson& lesson, const Key& key)
      : images_(lesson.images),
        update_(lesson.update),
        key_(key),
        scaling_(scaling_to_start_from(images_.training_predictions)),
        mean_(tensor_of(scaling_.mean, {static_cast<std::int64_t>(scaling_.width())})),
        scale_(tensor_of(scaling_.scale, {static_cast<std::int64_t>(scaling_.width())})),
        correct_(correct_of(images_.training_predictions, lesson.answers)) {}

  torch::nn::Module& module() override { return *net_; }
  Sharing sharing() const override { return Sharing::kOperations; }
  void begin_epoch(std::size_t epoch) override { epoch_ = epoch; }

  std::vector<torch::optim::OptimizerParamGroup> parameter_groups(double learning_rate) override {
    using torch::optim::AdamOptions;
    return {{classifier().parameters(), std::make_unique<AdamOptions>(update_.learning_rate)},
            {own().parameters(), std::make_unique<AdamOptions>(learning_rate)}};
  }

  std::vector<double> validation_margins() override {
    const torch::NoGradGuard guard;
    begin_validation();
    std::vector<double> margins;
    std::vector<torch::Tensor> logits;
    for (const auto& rows :
         torch::arange(images_.validation.size(), torch::kInt64).split(kBaselineEvaluationBatch)) {
      const Seen seen = seen_as_used(images_.validation, rows);
      const auto some = margins_of(seen);
      margins.insert(margins.end(), some.begin(), some.end());
      logits.push_back(seen.logits.to(torch::kFloat64));
    }
    validation_logits_ = torch::cat(logits).contiguous();
    return margins;
  }

  std::vector<float> validation_probabilities() override {
    const std::span<const double> logits(validation_logits_.data_ptr<double>(),
                                         static_cast<std::size_t>(validation_logits_.numel()));
    return Predictions::from_logits(logits, classes());
  }

  // The tensors of the policy file beside the scaling.
  virtual std::vector<Tensor> tensors() = 0;
  const FeatureScaling& scaling() const { return scaling_; }

 protected:
  void join(std::shared_ptr<torch::nn::Module> own) {
    own_ = own;
    net_.emplace(classifier(), std::move(own));
    net_->eval();
  }
  virtual void begin_validation() {}
  virtual std::vector<double> margins_of(const Seen& seen) = 0;

  BackboneImpl& classifier() { return images_.classifier.backbone(); }
  torch::nn::Module& own() { return *own_; }
  std::size_t classes() const { return images_.classifier.spec().classes.size(); }

  Seen seen_in_training(const torch::Tensor& rows) {
    return seen(augmented_batch_of(images_.training, images_.classifier.normalisation(), rows,
                                   update_.augmentation, key_.with("augmentation").with(epoch_)));
  }
  Seen seen_as_used(const ClassifierInputs& inputs, const torch::Tensor& rows) {
    return seen(batch_of(inputs, images_.classifier.normalisation(), rows));
  }

  JointImages& images_;
  ClassifierUpdate update_;
  Key key_;
  FeatureScaling scaling_;
  torch::Tensor mean_, scale_;
  torch::Tensor correct_;  // N x J
  std::size_t epoch_ = 0;

 private:
  Seen seen(const torch::Tensor& x) {
    const auto features = classifier().features(x.to(classifier().parameters()[0].dtype()));
    return {(features - mean_) * scale_, classifier().logits(features)};
  }

  std::shared_ptr<torch::nn::Module> own_;
  std::optional<PairedNet> net_;
  torch::Tensor validation_logits_;  // N x K
};

class JointPopulationLearner final : public JointBaselineLearner {
 public:
  JointPopulationLearner(const JointBaselineLesson& lesson, const PopulationOptions& options,
                         const Key& key)
      : JointBaselineLearner(lesson, key),
        context_size_(options.context_size),
        population_(PopulationShape{options.encoder, static_cast<std::int64_t>(classes()),
                                    static_cast<std::int64_t>(scaling_.width()),
                                    static_cast<std::int64_t>(options.width)}),
        pool_(shared_context(images_.training_predictions, lesson.contexts)),
        source_(context_source(options.source, images_.training_predictions, lesson.contexts,
                               lesson.answers)) {
    assert(options.encoder == PopulationEncoder::kQueryIndependent);
    assert(options.naming == ClassNaming::kFixed);
    population_->initialise_from(key.with("weights"));
    join(population_.ptr());
  }

  torch::Tensor loss(const torch::Tensor& rows, std::size_t batch) override {
    const auto chosen =
        sample_names(source_.cases, context_size_, key_.with(epoch_).with(batch).with("context"));
    const auto context = context_of(source_, chosen);
    const Seen seen = seen_in_training(rows);
    return deferral_loss(seen.logits.log_softmax(1), population_(seen.phi, context),
                         images_.training.labels.index_select(0, rows),
                         correct_.index_select(0, rows));
  }

  std::vector<Tensor> tensors() override { return parameters_of(*population_, ""); }

 protected:
  void begin_validation() override {
    context_ = context_of(pool_, pool_.everything());
    encoded_ = population_->encode(context_);
  }
  std::vector<double> margins_of(const Seen& seen) override {
    return probability_margins(seen.logits.log_softmax(1),
                               population_->decide(seen.phi, context_, encoded_));
  }

 private:
  PopulationContext context_of(const SharedContext& from, const std::vector<std::size_t>& chosen) {
    const torch::NoGradGuard guard;
    std::vector<torch::Tensor> phi;
    for (const auto& some : rows_of(from, chosen).split(kBaselineEvaluationBatch)) {
      phi.push_back(seen_as_used(images_.training, some).phi);
    }
    return population_context(from, chosen, Relabelling::identity(classes()), torch::cat(phi));
  }

  std::size_t context_size_;
  PopulationNet population_;
  SharedContext pool_;         // what a policy reads later
  SharedContext source_;       // what batches draw from
  PopulationContext context_;  // of validation, and what the encoder makes of it
  torch::Tensor encoded_;
};

class JointMultiExpertLearner final : public JointBaselineLearner {
 public:
  JointMultiExpertLearner(const JointBaselineLesson& lesson, Surrogate surrogate, const Key& key)
      : JointBaselineLearner(lesson, key),
        surrogate_(surrogate),
        experts_(static_cast<std::int64_t>(scaling_.width()), correct_.size(1)) {
    initialise(*experts_, key.with("weights"));
    join(experts_.ptr());
  }

  torch::Tensor loss(const torch::Tensor& rows, std::size_t) override {
    const auto logits = all_logits(seen_in_training(rows));
    const auto labels = images_.training.labels.index_select(0, rows);
    const auto correct = correct_.index_select(0, rows);
    return head_loss(surrogate_, logits, labels, correct);
  }

  // The classifier's last layer reads features as they are and the file's head scaled ones:
  // W f + b = (W / scale) phi + (b + W mean).
  std::vector<Tensor> tensors() override {
    const torch::NoGradGuard guard;
    const auto parameters = classifier().named_parameters();
    const std::string name = classifier().head_name();
    const auto weight = parameters[name + ".weight"].to(torch::kFloat64);
    const auto bias = parameters[name + ".bias"].to(torch::kFloat64);
    const auto scaled = (weight / scale_).to(torch::kFloat32);
    const auto moved = (bias + weight.matmul(mean_.to(torch::kFloat64))).to(torch::kFloat32);
    torch::nn::Linear head(weight.size(1), weight.size(0) + correct_.size(1));
    head->weight.copy_(torch::cat({scaled, experts_->weight}));
    head->bias.copy_(torch::cat({moved, experts_->bias}));
    return parameters_of(*head, "head.");
  }

 protected:
  std::vector<double> margins_of(const Seen& seen) override {
    return head_margins(surrogate_, all_logits(seen), seen.logits.size(1));
  }

 private:
  torch::Tensor all_logits(const Seen& seen) {
    return torch::cat({seen.logits, experts_(seen.phi)}, 1);
  }

  Surrogate surrogate_;
  torch::nn::Linear experts_;
};

TrainedPolicy train_baseline(JointBaselineLearner& learner, const JointBaselineLesson& lesson,
                             const Validation& validation, const Schedule& schedule,
                             const Observer& observer, const Support& support) {
  TrainedPolicy trained;
  trained.summary =
      fit(learner, lesson.images.training.cases, validation, schedule, observer, support);
  const FeatureScaling& scaling = learner.scaling();
  trained.tensors = {{"feature_mean", {scaling.width()}, scaling.mean},
                     {"feature_scale", {scaling.width()}, scaling.scale}};
  for (Tensor& tensor : learner.tensors()) trained.tensors.push_back(std::move(tensor));
  trained.annotations = lesson.answers.cases() * lesson.answers.experts() + validation.answers();
  return trained;
}

Key population_key(std::uint64_t seed) { return Key(seed).with("joint population"); }
Key multi_expert_key(std::uint64_t seed) { return Key(seed).with("joint multi-expert"); }

}  // namespace

TrainedPolicy train_joint_population(const JointBaselineLesson& lesson,
                                     const Validation& validation, const PopulationOptions& options,
                                     const Schedule& schedule, const Observer& observer,
                                     const Support& support) {
  JointPopulationLearner learner(lesson, options, population_key(schedule.seed));
  return train_baseline(learner, lesson, validation, schedule, observer, support);
}

TrainedPolicy train_joint_multi_expert(const JointBaselineLesson& lesson,
                                       const Validation& validation, Surrogate surrogate,
                                       const Schedule& schedule, const Observer& observer,
                                       const Support& support) {
  JointMultiExpertLearner learner(lesson, surrogate, multi_expert_key(schedule.seed));
  return train_baseline(learner, lesson, validation, schedule, observer, support);
}

std::unique_ptr<Learner> joint_population_learner(const JointBaselineLesson& lesson,
                                                  const PopulationOptions& options,
                                                  std::uint64_t seed) {
  return std::make_unique<JointPopulationLearner>(lesson, options, population_key(seed));
}

std::unique_ptr<Learner> joint_multi_expert_learner(const JointBaselineLesson& lesson,
                                                    Surrogate surrogate, std::uint64_t seed) {
  return std::make_unique<JointMultiExpertLearner>(lesson, surrogate, multi_expert_key(seed));
}

}  // namespace ifd::train
