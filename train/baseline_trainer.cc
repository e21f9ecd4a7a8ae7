#include "train/baseline_trainer.h"

#include <fmt/format.h>
#include <torch/nn/modules/linear.h>

#include <algorithm>
#include <cassert>
#include <map>
#include <unordered_map>

#include "ifd/error.h"
#include "ifd/experts/relabelling.h"
#include "ifd/policy/feature_scaling.h"
#include "train/context_sampler.h"
#include "train/losses.h"
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

// 1{m_j = y}, N x J.
torch::Tensor correct_of(const Predictions& cases, const AnswerTable& answers) {
  std::vector<float> correct;
  correct.reserve(cases.size() * answers.experts());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      correct.push_back(answers.at(case_id(i), expert_id(j)).is(cases.label(i)) ? 1.0F : 0.0F);
    }
  }
  return tensor_of(correct, {static_cast<std::int64_t>(cases.size()),
                             static_cast<std::int64_t>(answers.experts())});
}

std::vector<Tensor> scaling_tensors(const FeatureScaling& scaling) {
  return {{"feature_mean", {scaling.width()}, scaling.mean},
          {"feature_scale", {scaling.width()}, scaling.scale}};
}

// Cases that all experts answered, with truths and answers, which a context can be drawn from.
struct SharedContext {
  std::vector<std::string> cases;
  std::vector<std::int64_t> rows;  // of the training predictions
  std::vector<ClassId> truths;
  std::vector<std::vector<Answer>> answers;  // J x n
};

SharedContext shared_context(const Predictions& training, std::span<const ExpertContext> contexts) {
  const CaseIndex row_of(training);
  std::map<std::string_view, std::vector<const ContextRow*>> by_case;
  for (const ExpertContext& context : contexts) {
    for (const ContextRow& row : context.rows) by_case[row.case_name].push_back(&row);
  }
  SharedContext shared;
  shared.answers.resize(contexts.size());
  for (const auto& [name, rows] : by_case) {
    const auto row = row_of.find(name);
    if (!row) {
      throw bad_input(fmt::format(
          "context case '{}' is not among the training predictions; expected its features there",
          name));
    }
    if (rows.size() != contexts.size()) continue;
    shared.cases.emplace_back(name);
    shared.rows.push_back(static_cast<std::int64_t>(*row));
    shared.truths.push_back(rows.front()->truth);
    for (std::size_t j = 0; j < rows.size(); ++j) shared.answers[j].push_back(rows[j]->answer);
  }
  if (shared.cases.empty()) {
    throw bad_input("the experts' contexts share no case; expected some that all experts answered");
  }
  return shared;
}

SharedContext context_of_all_cases(const Predictions& training, const AnswerTable& answers) {
  SharedContext shared;
  shared.cases = training.case_names();
  shared.truths.assign(training.labels().begin(), training.labels().end());
  shared.answers.resize(answers.experts());
  for (std::size_t i = 0; i < training.size(); ++i) {
    shared.rows.push_back(static_cast<std::int64_t>(i));
    for (std::size_t j = 0; j < answers.experts(); ++j) {
      shared.answers[j].push_back(answers.at(case_id(i), expert_id(j)));
    }
  }
  return shared;
}

class PopulationLearner final : public Learner {
 public:
  PopulationLearner(const Predictions& training, std::span<const ExpertContext> contexts,
                    const AnswerTable& answers, const Validation& validation,
                    const FeatureScaling& scaling, const PopulationOptions& options, const Key& key)
      : options_(options),
        classes_(training.classes().size()),
        key_(key),
        pool_(shared_context(training, contexts)),
        source_(options.source == ContextSource::kPool ? pool_
                                                       : context_of_all_cases(training, answers)),
        net_(PopulationShape{options.encoder, static_cast<std::int64_t>(classes_),
                             static_cast<std::int64_t>(scaling.width()),
                             static_cast<std::int64_t>(options.width)}),
        phi_(phi_of(scaling, training, "the training predictions")),
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
    const auto chosen = sample_names(source_.cases, options_.context_size, key.with("context"));
    const auto perp = net_(phi_.index_select(0, rows), context_tensors(source_, chosen, naming));
    return deferral_loss(class_logits_.index_select(0, rows), perp, labels_.index_select(0, rows),
                         correct_.index_select(0, rows));
  }

  std::vector<double> validation_margins() override {
    const torch::NoGradGuard guard;
    std::vector<std::size_t> all(pool_.cases.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    const auto context = context_tensors(pool_, all, Relabelling::identity(classes_));
    const auto encoded = net_->encode(context);
    std::vector<torch::Tensor> parts;
    for (const auto& phi : validation_phi_.split(kValidationBlock)) {
      parts.push_back(net_->decide(phi, context, encoded));
    }
    return probability_margins(validation_logits_, torch::cat(parts));
  }

 private:
  static constexpr std::int64_t kValidationBlock = 512;

  PopulationContext context_tensors(const SharedContext& from,
                                    const std::vector<std::size_t>& chosen,
                                    const Relabelling& naming) const {
    const auto n = static_cast<std::int64_t>(chosen.size());
    const auto experts = static_cast<std::int64_t>(from.answers.size());
    const auto rows = torch::empty({n}, torch::kInt64);
    const auto truths = torch::empty({n}, torch::kInt64);
    const auto answers = torch::empty({experts, n}, torch::kInt64);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      rows.data_ptr<std::int64_t>()[i] = from.rows[chosen[i]];
      truths.data_ptr<std::int64_t>()[i] =
          static_cast<std::int64_t>(index(naming(from.truths[chosen[i]])));
      for (std::size_t j = 0; j < from.answers.size(); ++j) {
        const Answer answer = naming(from.answers[j][chosen[i]]);
        answers.data_ptr<std::int64_t>()[j * chosen.size() + i] =
            static_cast<std::int64_t>(answer.is_outside() ? classes_ : index(answer.as_class()));
      }
    }
    return {phi_.index_select(0, rows), truths, answers};
  }

  PopulationOptions options_;
  std::size_t classes_;
  Key key_;
  SharedContext pool_;    // what a policy reads later
  SharedContext source_;  // what batches draw from
  PopulationNet net_;
  torch::Tensor phi_, class_logits_, labels_, correct_;
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
    return surrogate_ == Surrogate::kSoftmax ? multi_expert_loss(logits, labels, correct)
                                             : one_vs_all_loss(logits, labels, correct);
  }

  std::vector<double> validation_margins() override {
    const torch::NoGradGuard guard;
    const auto logits = head_(validation_phi_).to(torch::kFloat64);
    const auto chances = surrogate_ == Surrogate::kSoftmax ? logits.softmax(1) : logits.sigmoid();
    const auto top = std::get<0>(chances.slice(1, 0, classes_).max(1, true));
    const auto margins = (chances.slice(1, classes_) - top).contiguous();
    return {margins.data_ptr<double>(), margins.data_ptr<double>() + margins.numel()};
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
  trained.annotations = answers.cases() * answers.experts() + validation.answers();
  return trained;
}

TrainedPolicy train_multi_expert(const Predictions& training, const AnswerTable& answers,
                                 const Validation& validation, Surrogate surrogate,
                                 const Schedule& schedule, const Observer& observer,
                                 const Support& support) {
  assert(training.has_labels());
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
