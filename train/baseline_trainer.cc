#include "train/baseline_trainer.h"

#include <torch/nn/modules/linear.h>

#include <cassert>
#include <memory>

#include "ifd/experts/relabelling.h"
#include "ifd/policy/feature_scaling.h"
#include "train/context_pool.h"
#include "train/losses.h"
#include "train/multi_expert_head.h"
#include "train/population_net.h"
#include "train/rejector_net.h"
#include "train/tensor_exchange.h"
#include "train/training_loop.h"

namespace ifd::train {
namespace {

torch::Tensor phi_of(const FeatureScaling& scaling, const Predictions& cases, const char* which) {
  return tensor_of(scaling.apply(cases, which), {static_cast<std::int64_t>(cases.size()),
                                                 static_cast<std::int64_t>(scaling.width())});
}

std::vector<Tensor> scaling_tensors(const FeatureScaling& scaling) {
  return {{"feature_mean", {scaling.width()}, scaling.mean},
          {"feature_scale", {scaling.width()}, scaling.scale}};
}

class PopulationLearner final : public Learner {
 public:
  PopulationLearner(const Predictions& training, std::span<const ExpertContext> contexts,
                    const AnswerTable& answers, const Validation& validation,
                    const FeatureScaling& scaling, const PopulationOptions& options, const Key& key)
      : options_(options),
        classes_(training.classes().size()),
        key_(key),
        net_(PopulationShape{options.encoder, static_cast<std::int64_t>(classes_),
                             static_cast<std::int64_t>(scaling.width()),
                             static_cast<std::int64_t>(options.width)}),
        phi_(phi_of(scaling, training, "the training predictions")),
        pool_(pool_of_contexts(training, contexts, answers, phi_)),
        source_(options.source == ContextSource::kPool
                    ? pool_
                    : std::shared_ptr<const ContextPool>(pool_of_cases(training, answers, phi_))),
        class_logits_(class_logits_of(training)),
        labels_(labels_of(training)),
        correct_(correct_of(training, answers)),
        validation_phi_(phi_of(scaling, validation.cases(), "the validation predictions")),
        validation_logits_(class_logits_of(validation.cases())) {
    net_->initialise_from(key.with("weights"));
  }

  torch::nn::Module& module() override { return *net_; }
  void begin_epoch(std::size_t epoch) override { epoch_ = epoch; }

  torch::Tensor loss(const torch::Tensor& rows, std::size_t batch) override {
    const Key key = key_.with(epoch_).with(batch);
    const auto naming = options_.naming == ClassNaming::kFixed
                            ? Relabelling::identity(classes_)
                            : Relabelling::random(classes_, key.with("naming"));
    const auto drawn = source_->draw(options_.context_size, key.with("context"), naming);
    const auto perp = net_(phi_.index_select(0, rows), drawn.context);
    return deferral_loss(
        class_logits_.index_select(0, rows), perp, labels_.index_select(0, rows),
        correct_.index_select(0, rows),
        drawn.counted.defined() ? drawn.counted.index_select(0, rows) : torch::Tensor());
  }

  std::vector<double> validation_margins() override {
    const torch::NoGradGuard guard;
    const auto context = pool_->whole();
    const auto encoded = net_->encode(context);
    std::vector<torch::Tensor> parts;
    for (const auto& phi : validation_phi_.split(kValidationBlock)) {
      parts.push_back(net_->decide(phi, context, encoded));
    }
    return probability_margins(validation_logits_, torch::cat(parts));
  }

 private:
  static constexpr std::int64_t kValidationBlock = 512;

  PopulationOptions options_;
  std::size_t classes_;
  Key key_;
  PopulationNet net_;
  torch::Tensor phi_;
  std::shared_ptr<const ContextPool> pool_;    // what a policy reads later
  std::shared_ptr<const ContextPool> source_;  // what batches draw from
  torch::Tensor class_logits_, labels_, correct_;
  torch::Tensor validation_phi_, validation_logits_;
  std::size_t epoch_ = 0;
};

class MultiExpertLearner final : public Learner {
 public:
  MultiExpertLearner(const Predictions& training, const AnswerTable& answers,
                     const Validation& validation, const FeatureScaling& scaling,
                     Surrogate surrogate, const Key& key)
      : surrogate_(surrogate),
        classes_(static_cast<std::int64_t>(training.classes().size())),
        head_(static_cast<std::int64_t>(scaling.width()),
              classes_ + static_cast<std::int64_t>(answers.experts())),
        phi_(phi_of(scaling, training, "the training predictions")),
        labels_(labels_of(training)),
        correct_(correct_of(training, answers)),
        validation_phi_(phi_of(scaling, validation.cases(), "the validation predictions")) {
    initialise(*head_, key.with("weights"));
  }

  torch::nn::Module& module() override { return *head_; }
  void begin_epoch(std::size_t) override {}

  torch::Tensor loss(const torch::Tensor& rows, std::size_t) override {
    const auto logits = head_(phi_.index_select(0, rows));
    const auto labels = labels_.index_select(0, rows);
    const auto correct = correct_.index_select(0, rows);
    return head_loss(surrogate_, logits, labels, correct);
  }

  std::vector<double> validation_margins() override {
    const torch::NoGradGuard guard;
    return head_margins(surrogate_, head_(validation_phi_), classes_);
  }

 private:
  Surrogate surrogate_;
  std::int64_t classes_;
  torch::nn::Linear head_;
  torch::Tensor phi_, labels_, correct_, validation_phi_;
};

void append(std::vector<Tensor>& to, std::vector<Tensor> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

}  // namespace

TrainedPolicy train_population(const Predictions& training, std::span<const ExpertContext> contexts,
                               const AnswerTable& answers, const Validation& validation,
                               const PopulationOptions& options, const Schedule& schedule,
                               const Observer& observer, const Support& support) {
  assert(training.has_labels() && answers.experts() == contexts.size());
  const FeatureScaling scaling = FeatureScaling::fit(training);
  PopulationLearner learner(training, contexts, answers, validation, scaling, options,
                            Key(schedule.seed).with("population"));
  TrainedPolicy trained;
  trained.summary = fit(learner, training.case_names(), validation, schedule, observer, support);
  trained.tensors = scaling_tensors(scaling);
  append(trained.tensors, parameters_of(learner.module(), ""));
  // The context's answers are on training cases, so they are among those.
  trained.annotations = given_answers(answers) + validation.answers();
  return trained;
}

TrainedPolicy train_multi_expert(const Predictions& training, const AnswerTable& answers,
                                 const Validation& validation, Surrogate surrogate,
                                 const Schedule& schedule, const Observer& observer,
                                 const Support& support) {
  assert(training.has_labels() && given_answers(answers) == answers.cases() * answers.experts());
  const FeatureScaling scaling = FeatureScaling::fit(training);
  MultiExpertLearner learner(training, answers, validation, scaling, surrogate,
                             Key(schedule.seed).with("multi-expert"));
  TrainedPolicy trained;
  trained.summary = fit(learner, training.case_names(), validation, schedule, observer, support);
  trained.tensors = scaling_tensors(scaling);
  append(trained.tensors, parameters_of(learner.module(), "head."));
  trained.annotations = answers.cases() * answers.experts() + validation.answers();
  return trained;
}

}  // namespace ifd::train
