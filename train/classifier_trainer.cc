#include "train/classifier_trainer.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "ifd/data/json_text.h"
#include "ifd/error.h"
#include "ifd/fnv_hash.h"
#include "train/context_sampler.h"
#include "train/threads.h"

namespace ifd::train {
namespace {

using nlohmann::ordered_json;

constexpr std::int64_t kEvaluationBatch = 256;

// The optimiser's memory is in plain sight, because a checkpoint must hold all of it.
class Steps {
 public:
  Steps(const torch::nn::Module& module, const ClassifierTraining& how) : how_(how) {
    for (const auto& item : module.named_parameters()) {
      names_.push_back(item.key());
      parameters_.push_back(item.value());
      first_.push_back(torch::zeros_like(item.value()));
      second_.push_back(how.optimiser == Optimiser::kAdam ? torch::zeros_like(item.value())
                                                          : torch::Tensor());
    }
  }

  void clear_gradients() {
    for (auto& parameter : parameters_) parameter.mutable_grad().reset();
  }

  // The step counts from 1.
  void take(double rate, std::size_t step) {
    const torch::NoGradGuard guard;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      auto& p = parameters_[i];
      if (!p.grad().defined()) continue;
      const double decay = p.dim() > 1 ? how_.weight_decay : 0;
      if (how_.optimiser == Optimiser::kSgd) {
        const auto gradient = decay > 0 ? p.grad().add(p, decay) : p.grad();
        first_[i].mul_(kMomentum).add_(gradient);
        p.add_(gradient, -rate).add_(first_[i], -rate * kMomentum);
      } else {
        const auto t = static_cast<double>(step);
        if (decay > 0) p.mul_(1 - rate * decay);
        first_[i].mul_(kBeta1).add_(p.grad(), 1 - kBeta1);
        second_[i].mul_(kBeta2).addcmul_(p.grad(), p.grad(), 1 - kBeta2);
        const auto spread = (second_[i] / (1 - std::pow(kBeta2, t))).sqrt_().add_(kEpsilon);
        p.addcdiv_(first_[i], spread, -rate / (1 - std::pow(kBeta1, t)));
      }
    }
  }

  void add_to(SafetensorsWriter& writer) const {
    each([&](const std::string& name, const torch::Tensor& moment) {
      std::vector<std::size_t> shape;
      for (const auto extent : moment.sizes()) shape.push_back(static_cast<std::size_t>(extent));
      const auto values = moment.contiguous();
      writer.add(name, shape,
                 std::span<const float>(values.data_ptr<float>(),
                                        static_cast<std::size_t>(values.numel())));
    });
  }
  void load_from(const SafetensorsFile& file) {
    each([&](const std::string& name, const torch::Tensor& moment) {
      const auto values = file.floats(name);
      if (values.size() != static_cast<std::size_t>(moment.numel())) {
        throw Error(ErrorKind::kCorruptFile,
                    fmt::format("{}: '{}' has {} numbers; expected {}", file.name(), name,
                                values.size(), moment.numel()));
      }
      moment.copy_(torch::tensor(at::ArrayRef<float>(values)).view(moment.sizes()));
    });
  }

 private:
  static constexpr double kMomentum = .9, kBeta1 = .9, kBeta2 = .999, kEpsilon = 1e-8;

  template <typename Visit>
  void each(const Visit& visit) const {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      visit("moment1." + names_[i], first_[i]);
      if (second_[i].defined()) visit("moment2." + names_[i], second_[i]);
    }
  }

  ClassifierTraining how_;
  std::vector<std::string> names_;
  std::vector<torch::Tensor> parameters_;
  std::vector<torch::Tensor> first_;   // momentum, or the mean of gradients
  std::vector<torch::Tensor> second_;  // the mean of their squares
};

// The rate before step `step` of `steps`, from 0.
double rate_at(std::size_t step, std::size_t steps, const ClassifierTraining& how) {
  const double rise = std::ceil(how.warmup * static_cast<double>(steps));
  const auto s = static_cast<double>(step);
  if (s < rise) return how.learning_rate * (s + 1) / rise;
  const double rest = static_cast<double>(steps) - rise;
  return how.learning_rate * .5 * (1 + std::cos(std::numbers::pi * (s - rise) / rest));
}

void add(FnvHash& hash, const torch::Tensor& tensor) {
  const auto values = tensor.detach().contiguous();
  hash.add(std::string_view(static_cast<const char*>(values.data_ptr()),
                            static_cast<std::size_t>(values.nbytes())));
}

struct Score {
  double accuracy = 0;
  double log_loss = 0;
};

Score score_of(BackboneClassifier& classifier, const ClassifierInputs& inputs) {
  const torch::NoGradGuard guard;
  std::int64_t right = 0;
  double log_loss = 0;
  for (const auto& rows : torch::arange(inputs.size(), torch::kInt64).split(kEvaluationBatch)) {
    const auto logits =
        classifier.output(batch_of(inputs, classifier.normalisation(), rows)).logits;
    const auto labels = inputs.labels.index_select(0, rows);
    right += (logits.argmax(1) == labels).sum().item<std::int64_t>();
    log_loss +=
        torch::nll_loss(logits.to(torch::kFloat64).log_softmax(1), labels, {}, at::Reduction::Sum)
            .item<double>();
  }
  const auto n = static_cast<double>(inputs.size());
  return {static_cast<double>(right) / n, log_loss / n};
}

// A training on its way.
class Run {
 public:
  Run(BackboneClassifier& classifier, const ClassifierInputs& training,
      const ClassifierInputs& validation, const ClassifierTraining& how,
      const Checkpointing& checkpoint)
      : classifier_(classifier),
        training_(training),
        validation_(validation),
        how_(how),
        checkpoint_(checkpoint),
        settings_(classifier_settings(classifier, training, how)),
        best_(make_backbone(classifier.spec().shape)),
        steps_(classifier.backbone(), how),
        key_(Key(how.seed).with("classifier")) {
    const auto n = static_cast<std::size_t>(training.size());
    batches_ = (n + how.batch - 1) / how.batch;
    if (n % how.batch == 1) --batches_;
    begin();
  }

  ClassifierSummary go(const ClassifierObserver& observer) {
    for (std::size_t epoch = progress_.epochs().size() + 1; epoch <= how_.epochs; ++epoch) {
      double loss = 0;
      if (train_epoch(epoch, observer, loss) == Continue::kNo) return summary(Continue::kNo);
      const ClassifierEpoch& made = finish_epoch(loss);
      if (observer.epoch) observer.epoch(made);
    }
    copy_state(*best_, classifier_.backbone());
    if (!checkpoint_.file.empty()) {
      std::error_code ignored;
      std::filesystem::remove(checkpoint_.file, ignored);
    }
    return summary(Continue::kYes);
  }

 private:
  void begin() {
    if (checkpoint_.file.empty()) return;
    const std::string name = checkpoint_.file.string();
    const bool there = std::filesystem::exists(checkpoint_.file);
    if (checkpoint_.start == Start::kFresh) {
      if (!there) return;
      throw Error(ErrorKind::kConflict,
                  fmt::format("{}: the checkpoint of a training is there; go on with --resume, or "
                              "remove it",
                              name));
    }
    if (!there) {
      throw Error(ErrorKind::kNotFound,
                  fmt::format("{}: no such checkpoint; begin without --resume", name));
    }
    load(SafetensorsFile::read(checkpoint_.file, checkpoint_.limits));
  }

  ClassifierSummary summary(Continue ended) const {
    const ClassifierEpoch best = progress_.best();
    return {progress_.epochs(), best.epoch, best.accuracy, ended};
  }

  Continue train_epoch(std::size_t epoch, const ClassifierObserver& observer, double& mean_loss) {
    BackboneImpl& net = classifier_.backbone();
    net.train();
    const auto order =
        sample_names(training_.cases, training_.cases.size(), key_.with("batches").with(epoch));
    const auto rows = torch::empty({static_cast<std::int64_t>(order.size())}, torch::kInt64);
    std::copy(order.begin(), order.end(), rows.data_ptr<std::int64_t>());
    const auto parts = rows.split(static_cast<std::int64_t>(how_.batch));
    double sum = 0;
    std::int64_t cases = 0;
    for (std::size_t batch = 0; batch < batches_; ++batch) {
      const std::size_t step = (epoch - 1) * batches_ + batch;
      const auto x = augmented_batch_of(training_, classifier_.normalisation(), parts[batch],
                                        how_.augmentation, key_.with("augmentation").with(epoch));
      net.set_draws(key_.with("dropout").with(epoch).with(batch));
      const auto logits = net.logits(net.features(x));
      const auto loss =
          torch::cross_entropy_loss(logits, training_.labels.index_select(0, parts[batch]), {},
                                    at::Reduction::Mean, -100, how_.label_smoothing);
      const double value = loss.item<double>();
      if (!std::isfinite(value)) {
        throw bad_input(fmt::format(
            "the loss of epoch {} is not finite; expected a number (try a smaller learning rate)",
            epoch));
      }
      steps_.clear_gradients();
      loss.backward();
      steps_.take(rate_at(step, batches_ * how_.epochs, how_), step + 1);
      sum += value * static_cast<double>(parts[batch].numel());
      cases += parts[batch].numel();
      if (observer.batch && observer.batch(epoch, batch + 1, batches_) == Continue::kNo) {
        return Continue::kNo;
      }
    }
    mean_loss = sum / static_cast<double>(cases);
    return Continue::kYes;
  }

  const ClassifierEpoch& finish_epoch(double loss) {
    const Score score = score_of(classifier_, validation_);
    const ClassifierEpoch& made = progress_.add(loss, score.accuracy, score.log_loss);
    if (made.best) copy_state(classifier_.backbone(), *best_);
    if (!checkpoint_.file.empty() && made.epoch < how_.epochs) save();
    return made;
  }

  static void copy_state(const torch::nn::Module& from, const torch::nn::Module& to) {
    const torch::NoGradGuard guard;
    const auto copy = [](const std::vector<torch::Tensor>& a, const std::vector<torch::Tensor>& b) {
      for (std::size_t i = 0; i < a.size(); ++i) b[i].copy_(a[i]);
    };
    copy(from.parameters(), to.parameters());
    copy(from.buffers(), to.buffers());
  }

  void save() const {
    SafetensorsWriter writer;
    add_progress(writer, progress_, settings_);
    add_state(writer, classifier_.backbone(), "net.");
    add_state(writer, *best_, "best.");
    steps_.add_to(writer);
    writer.add_checksum();
    std::move(writer).write(checkpoint_.file);
  }

  void load(const SafetensorsFile& file) {
    progress_ = classifier_progress(file, settings_, how_.epochs);
    load_state(classifier_.backbone(), file, "net.");
    load_state(*best_, file, "best.");
    steps_.load_from(file);
  }

  BackboneClassifier& classifier_;
  const ClassifierInputs& training_;
  const ClassifierInputs& validation_;
  ClassifierTraining how_;
  Checkpointing checkpoint_;
  std::string settings_;
  Backbone best_;
  Steps steps_;
  Key key_;
  std::size_t batches_ = 0;
  ClassifierProgress progress_;
};

}  // namespace

const std::map<std::string, Optimiser>& optimiser_names() {
  static const std::map<std::string, Optimiser> names = {{"sgd", Optimiser::kSgd},
                                                         {"adam", Optimiser::kAdam}};
  return names;
}

const std::map<std::string, Symmetry>& symmetry_names() {
  static const std::map<std::string, Symmetry> names = {
      {"none", Symmetry::kNone}, {"flip", Symmetry::kFlip}, {"dihedral", Symmetry::kDihedral}};
  return names;
}

ClassifierTraining default_training(BackboneKind kind) {
  ClassifierTraining how;
  if (kind == BackboneKind::kMlp) {
    how.epochs = 100;
    how.optimiser = Optimiser::kAdam;
    how.learning_rate = 5e-3;
  }
  return how;
}

void check_training_inputs(const BackboneClassifier& classifier, const ClassifierInputs& training,
                           const ClassifierInputs& validation, const std::string& place) {
  const ClassNames& classes = classifier.spec().classes;
  const auto refuse = [&](const std::string& what) {
    throw bad_input(fmt::format("{}: {}", place, what));
  };
  classifier.check_inputs(training, place);
  classifier.check_inputs(validation, place);
  if (!training.labels.defined() || !validation.labels.defined()) {
    refuse("no labels; expected one per case");
  }
  if (training.size() < 2 || validation.size() < 1) {
    refuse(fmt::format("{} training and {} validation case(s); expected at least 2 and 1",
                       training.size(), validation.size()));
  }
  const auto counts =
      torch::bincount(training.labels, {}, static_cast<std::int64_t>(classes.size()));
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (counts.data_ptr<std::int64_t>()[k] == 0) {
      refuse(fmt::format("class '{}' has no training case; expected one at least",
                         classes.name(class_id(k))));
    }
  }
}

std::string classifier_settings(const BackboneClassifier& classifier,
                                const ClassifierInputs& training, const ClassifierTraining& how) {
  FnvHash weights, cases;
  for (const auto& parameter : classifier.backbone().parameters()) add(weights, parameter);
  add(cases, training.values);
  add(cases, training.labels);
  for (const std::string& name : training.cases) cases.add(name);
  const BackboneShape& shape = classifier.spec().shape;
  return json_text(ordered_json{{"backbone", word_of(backbone_names(), shape.kind)},
                                {"stem", word_of(stem_names(), shape.stem)},
                                {"epochs", how.epochs},
                                {"batch", how.batch},
                                {"optimiser", word_of(optimiser_names(), how.optimiser)},
                                {"learning_rate", how.learning_rate},
                                {"weight_decay", how.weight_decay},
                                {"warmup", how.warmup},
                                {"label_smoothing", how.label_smoothing},
                                {"augment", word_of(symmetry_names(), how.augmentation.symmetry)},
                                {"shift", how.augmentation.shift},
                                {"seed", how.seed},
                                {"hash of training cases", cases.hex()},
                                {"hash of first weights", weights.hex()}});
}

ClassifierSummary train_classifier(BackboneClassifier& classifier, const ClassifierInputs& training,
                                   const ClassifierInputs& validation,
                                   const ClassifierTraining& how, const Checkpointing& checkpoint,
                                   const ClassifierObserver& observer) {
  use_threads(how.threads);
  return Run(classifier, training, validation, how, checkpoint).go(observer);
}

}  // namespace ifd::train
