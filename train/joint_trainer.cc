#include "train/joint_trainer.h"

#include <fmt/format.h>
#include <torch/optim/adam.h>

#include <algorithm>
#include <optional>

#include "ifd/data/file_bytes.h"
#include "ifd/error.h"
#include "ifd/policy/roster.h"
#include "train/context_sampler.h"
#include "train/losses.h"
#include "train/rejector_net.h"
#include "train/tensor_exchange.h"
#include "train/training_loop.h"

namespace ifd::train {
namespace {

constexpr std::int64_t kJointEvaluationBatch = 256;

// Classifier and rejector as one net.
class JointNet : public torch::nn::Module {
 public:
  JointNet(BackboneImpl& classifier, const MlpNet& rejector) {
    register_module("classifier", classifier.shared_from_this());
    register_module("rejector", rejector);
  }
};

class JointLearner final : public Learner {
 public:
  JointLearner(JointImages& images, std::span<const ExpertContext> contexts,
               const IfdOptions& options, const ClassifierUpdate& update, const Key& key)
      : images_(images),
        contexts_(contexts),
        options_(options),
        update_(update),
        key_(key),
        rejector_(rejector_net(static_cast<std::int64_t>(width_of(options.state)),
                               static_cast<std::int64_t>(options.width))),
        net_(classifier(), rejector_),
        validation_roles_(make_roster(contexts, classes()).profiles, options.state) {
    initialise(*rejector_, key_.with("weights"));
    if (options.head == Head::kResidual) {
      auto last = rejector_->last();
      set_zero(last);
    }
    net_.eval();
  }

  torch::nn::Module& module() override { return net_; }
  Sharing sharing() const override { return Sharing::kOperations; }

  std::vector<torch::optim::OptimizerParamGroup> parameter_groups(double learning_rate) override {
    using torch::optim::AdamOptions;
    return {{classifier().parameters(), std::make_unique<AdamOptions>(update_.learning_rate)},
            {rejector_->parameters(), std::make_unique<AdamOptions>(learning_rate)}};
  }

  void begin_epoch(std::size_t epoch) override {
    const auto profiles = sampled_profiles(contexts_, classes(), options_.context_size,
                                           key_.with("contexts").with(epoch));
    roles_.emplace(profiles, options_.state);
    weights_ = tensor_of(
        deferral_weight_table(profiles, options_),
        {static_cast<std::int64_t>(classes()), static_cast<std::int64_t>(profiles.size())});
    epoch_ = epoch;
  }

  torch::Tensor loss(const torch::Tensor& rows, std::size_t) override {
    const auto x = augmented_batch_of(images_.training, images_.classifier.normalisation(), rows,
                                      update_.augmentation, key_.with("augmentation").with(epoch_));
    const auto log_rho = classifier().logits(classifier().features(x)).log_softmax(1);
    const auto labels = images_.training.labels.index_select(0, rows);
    return deferral_loss(log_rho, deferral_logits(*roles_, log_rho), labels,
                         weights_.index_select(0, labels));
  }

  std::vector<double> validation_margins() override {
    const torch::NoGradGuard guard;
    const ClassifierInputs& cases = images_.validation;
    std::vector<double> margins;
    std::vector<torch::Tensor> logits;
    for (const auto& rows :
         torch::arange(cases.size(), torch::kInt64).split(kJointEvaluationBatch)) {
      const auto g =
          images_.classifier.output(batch_of(cases, images_.classifier.normalisation(), rows))
              .logits;
      const auto log_rho = g.log_softmax(1);
      const auto some = probability_margins(log_rho, deferral_logits(validation_roles_, log_rho));
      margins.insert(margins.end(), some.begin(), some.end());
      logits.push_back(g.to(torch::kFloat64));
    }
    validation_logits_ = torch::cat(logits).contiguous();
    return margins;
  }

  std::vector<float> validation_probabilities() override {
    const std::span<const double> logits(validation_logits_.data_ptr<double>(),
                                         static_cast<std::size_t>(validation_logits_.numel()));
    return Predictions::from_logits(logits, classes());
  }

  const torch::nn::Module& rejector() const { return *rejector_; }

 private:
  BackboneImpl& classifier() { return images_.classifier.backbone(); }
  std::size_t classes() const { return images_.classifier.spec().classes.size(); }

  // g_perp, N x J.
  torch::Tensor deferral_logits(const DifferentiableRoles& roles, const torch::Tensor& log_rho) {
    auto perp = rejector_(roles.states(log_rho.exp(), log_rho)).squeeze(2);
    if (options_.head == Head::kResidual) perp = perp + roles.log_expected_accuracy(log_rho);
    return perp;
  }

  JointImages& images_;
  std::span<const ExpertContext> contexts_;
  IfdOptions options_;
  ClassifierUpdate update_;
  Key key_;
  MlpNet rejector_;
  JointNet net_;
  DifferentiableRoles validation_roles_;  // from the whole contexts, as in use
  torch::Tensor validation_logits_;       // N x K

  // Of the epoch.
  std::optional<DifferentiableRoles> roles_;
  torch::Tensor weights_;  // K x J
  std::size_t epoch_ = 0;
};

}  // namespace

DifferentiableRoles::DifferentiableRoles(std::span<const ExpertProfile> profiles, StateSet state,
                                         torch::Dtype type)
    : state_(state) {
  const auto experts = static_cast<std::int64_t>(profiles.size());
  const auto classes = static_cast<std::int64_t>(profiles[0].classes());
  means_ = torch::empty({experts, classes}, torch::kFloat64);
  variances_ = torch::empty_like(means_);
  ranks_ = torch::empty({experts, classes}, torch::kInt64);
  best_ = torch::zeros({experts, classes}, torch::kBool);
  mean_gaps_ = torch::empty({experts}, torch::kFloat64);
  for (std::int64_t j = 0; j < experts; ++j) {
    const ExpertProfile& profile = profiles[static_cast<std::size_t>(j)];
    std::vector<std::pair<double, double>> distinct;  // (mu, -sigma^2), increasing
    std::vector<double> means(profile.means().begin(), profile.means().end());
    for (std::size_t k = 0; k < means.size(); ++k) {
      distinct.emplace_back(means[k], -profile.variances()[k]);
    }
    const auto readings = distinct;
    std::sort(distinct.begin(), distinct.end());
    for (std::int64_t k = 0; k < classes; ++k) {
      const auto& reading = readings[static_cast<std::size_t>(k)];
      const std::int64_t at = j * classes + k;
      means_.data_ptr<double>()[at] = reading.first;
      variances_.data_ptr<double>()[at] = -reading.second;
      ranks_.data_ptr<std::int64_t>()[at] =
          std::lower_bound(distinct.begin(), distinct.end(), reading) - distinct.begin();
    }
    for (const ClassId id : profile.best_classes()) {
      best_.data_ptr<bool>()[j * classes + static_cast<std::int64_t>(index(id))] = true;
    }
    std::sort(means.begin(), means.end(), std::greater<>());
    mean_gaps_.data_ptr<double>()[j] = means[0] - means[1];
  }
  means_ = means_.to(type);
  variances_ = variances_.to(type);
  mean_gaps_ = mean_gaps_.to(type);
}

torch::Tensor DifferentiableRoles::log_expected_accuracy(const torch::Tensor& log_rho) const {
  return (log_rho.unsqueeze(1) + means_.log().unsqueeze(0)).logsumexp(2);
}

torch::Tensor DifferentiableRoles::states(const torch::Tensor& rho,
                                          const torch::Tensor& log_rho) const {
  const std::int64_t cases = rho.size(0);
  const std::int64_t experts = means_.size(0);
  const auto fixed = rho.detach();
  // k_top: among the classes that share the largest rho, the best reading of the expert.
  const auto tied = fixed == std::get<0>(fixed.max(1, true));
  const auto top =
      torch::where(tied.unsqueeze(1), ranks_.unsqueeze(0), torch::full({1}, -1, torch::kInt64))
          .argmax(2);
  // k_best: among the expert's best classes, the largest rho.
  const auto best =
      torch::where(best_.unsqueeze(0), fixed.unsqueeze(1), torch::full({1}, -1, fixed.options()))
          .argmax(2);
  const auto read = [](const torch::Tensor& values, const torch::Tensor& role) {
    return values.t().gather(0, role);  // values J x K, role N x J
  };
  std::vector<torch::Tensor> numbers = {rho.gather(1, top), rho.gather(1, best),
                                        read(means_, top),  read(variances_, top),
                                        read(means_, best), read(variances_, best)};
  if (state_ == StateSet::kExtended) {
    const auto everyone = [&](const torch::Tensor& by_case) {
      return by_case.unsqueeze(1).expand({cases, experts});
    };
    const auto two = std::get<0>(rho.topk(2, 1));
    numbers.push_back(log_expected_accuracy(log_rho));
    numbers.push_back(rho.matmul(variances_.t()));
    numbers.push_back(everyone(-(rho * log_rho).sum(1)));
    numbers.push_back(everyone(two.select(1, 0) - two.select(1, 1)));
    numbers.push_back(mean_gaps_.unsqueeze(0).expand({cases, experts}));
    numbers.push_back((top == best).to(rho.scalar_type()));
  }
  return torch::stack(numbers, 2);
}

JointImages read_joint_images(const std::filesystem::path& model,
                              const std::filesystem::path& images, const ReadLimits& limits) {
  const std::string name = images.string();
  const FileContents file = read_contents(images, limits);
  const std::size_t in_file = medmnist_summary_from_bytes(file.bytes, name, file.limits).classes;
  BackboneClassifier classifier = BackboneClassifier::read(model, limits);
  const ClassNames classes = classifier.spec().classes;
  if (in_file > classes.size()) {
    throw bad_input(
        fmt::format("{}: {} classes; {} knows {}", name, in_file, model.string(), classes.size()));
  }
  const auto read = [&](Split split) {
    ClassifierInputs inputs =
        inputs_of(medmnist_from_bytes(file.bytes, name, split, file.limits), split);
    classifier.check_inputs(inputs, name);
    return inputs;
  };
  ClassifierInputs training = read(Split::kTrain);
  ClassifierInputs validation = read(Split::kValidation);
  Predictions training_predictions = classify(classifier, training, classes);
  Predictions validation_predictions = classify(classifier, validation, classes);
  return {std::move(classifier), std::move(training), std::move(validation),
          std::move(training_predictions), std::move(validation_predictions)};
}

TrainedPolicy train_joint(JointImages& images, std::span<const ExpertContext> contexts,
                          const Validation& validation, const IfdOptions& options,
                          const ClassifierUpdate& update, const Schedule& schedule,
                          const Observer& observer, const Support& support) {
  JointLearner learner(images, contexts, options, update, Key(schedule.seed).with("joint"));
  TrainedPolicy trained;
  trained.summary = fit(learner, images.training.cases, validation, schedule, observer, support);
  trained.tensors = parameters_of(learner.rejector(), "layer");
  for (const ExpertContext& context : contexts) trained.annotations += context.rows.size();
  trained.annotations += validation.answers();
  return trained;
}

}  // namespace ifd::train
