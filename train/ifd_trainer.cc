#include "train/ifd_trainer.h"

#include <algorithm>
#include <cassert>

#include "ifd/policy/roster.h"
#include "ifd/role/role_reader.h"
#include "train/context_sampler.h"
#include "train/losses.h"
#include "train/rejector_net.h"
#include "train/tensor_exchange.h"
#include "train/training_loop.h"

namespace ifd::train {
namespace {

// Everything a rejector reads of some cases and experts, worked out once.
struct States {
  torch::Tensor numbers;  // N x J x width
  torch::Tensor offsets;  // N x J: log sum_y rho_y mu_y for the residual head, else undefined
};

States read_states(const Predictions& cases, std::span<const ExpertProfile> profiles,
                   const IfdOptions& options) {
  const std::size_t experts = profiles.size();
  const auto n = static_cast<std::int64_t>(cases.size());
  const auto j = static_cast<std::int64_t>(experts);
  States states{tensor_of(state_numbers(cases, profiles, options.state),
                          {n, j, static_cast<std::int64_t>(width_of(options.state))}),
                torch::Tensor()};
  if (options.head != Head::kResidual) return states;
  states.offsets = torch::empty({n, j});
  const RosterReadings readings(profiles, TieRule::kByReadings);
  RosterReader reader(readings);
  std::vector<double> logs(experts);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    reader.log_expected_accuracies(cases.probabilities(i), logs);
    std::copy(logs.begin(), logs.end(), states.offsets.data_ptr<float>() + i * experts);
  }
  return states;
}

class IfdLearner final : public Learner {
 public:
  IfdLearner(const Predictions& training, std::span<const ExpertContext> contexts,
             const Validation& validation, const IfdOptions& options, const Key& key)
      : training_(training),
        contexts_(contexts),
        options_(options),
        key_(key.with("contexts")),
        net_(rejector_net(static_cast<std::int64_t>(width_of(options.state)),
                          static_cast<std::int64_t>(options.width))),
        class_logits_(class_logits_of(training)),
        labels_(labels_of(training)),
        validation_logits_(class_logits_of(validation.cases())),
        validation_states_(read_states(validation.cases(),
                                       make_roster(contexts, training.classes().size()).profiles,
                                       options)) {
    initialise(*net_, key.with("weights"));
    if (options.head == Head::kResidual) {
      auto last = net_->last();
      set_zero(last);
    }
  }

  torch::nn::Module& module() override { return *net_; }

  void begin_epoch(std::size_t epoch) override {
    const std::size_t classes = training_.classes().size();
    const auto profiles =
        sampled_profiles(contexts_, classes, options_.context_size, key_.with(epoch));
    states_ = read_states(training_, profiles, options_);
    weights_ =
        tensor_of(deferral_weight_table(profiles, options_),
                  {static_cast<std::int64_t>(classes), static_cast<std::int64_t>(profiles.size())});
  }

  torch::Tensor loss(const torch::Tensor& rows, std::size_t) override {
    const auto labels = labels_.index_select(0, rows);
    auto perp = net_(states_.numbers.index_select(0, rows)).squeeze(2);
    if (states_.offsets.defined()) perp = perp + states_.offsets.index_select(0, rows);
    return deferral_loss(class_logits_.index_select(0, rows), perp, labels,
                         weights_.index_select(0, labels));
  }

  std::vector<double> validation_margins() override {
    const torch::NoGradGuard guard;
    auto perp = net_(validation_states_.numbers).squeeze(2);
    if (validation_states_.offsets.defined()) perp = perp + validation_states_.offsets;
    return probability_margins(validation_logits_, perp);
  }

 private:
  const Predictions& training_;
  std::span<const ExpertContext> contexts_;
  IfdOptions options_;
  Key key_;
  MlpNet net_;
  torch::Tensor class_logits_, labels_;
  torch::Tensor validation_logits_;
  States validation_states_;  // from the whole contexts, as in use
  States states_;
  torch::Tensor weights_;  // K x J
};

}  // namespace

std::vector<float> state_numbers(const Predictions& cases, std::span<const ExpertProfile> profiles,
                                 StateSet state) {
  std::vector<float> numbers;
  numbers.reserve(cases.size() * profiles.size() * width_of(state));
  const RosterReadings readings(profiles, TieRule::kByReadings);
  RosterReader reader(readings);
  std::vector<RoleState> paper(profiles.size());
  std::vector<ExtendedRoleState> extended(profiles.size());
  const auto put = [&numbers](const auto& row) {
    for (const auto& one : row) {
      for (const double number : one.numbers()) numbers.push_back(static_cast<float>(number));
    }
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (state == StateSet::kPaper) {
      reader.states(cases.probabilities(i), paper);
      put(paper);
    } else {
      reader.extended_states(cases.probabilities(i), extended);
      put(extended);
    }
  }
  return numbers;
}

std::vector<double> deferral_weights(const ExpertProfile& profile, const IfdOptions& options) {
  std::vector<double> weights(profile.classes());
  std::vector<double> peak(profile.classes(), 0.0);
  for (const ClassId id : profile.best_classes()) {
    peak[index(id)] = 1 / static_cast<double>(profile.best_classes().size());
  }
  for (std::size_t k = 0; k < weights.size(); ++k) {
    switch (options.trust) {
      case Trust::kLowerBound:
        weights[k] = profile.at(class_id(k)).lower_confidence_bound(options.lcb_width);
        break;
      case Trust::kMean:
        weights[k] = profile.means()[k];
        break;
      case Trust::kBinary:
        weights[k] = options.objective == Objective::kPeak ? 1 : peak[k];
        break;
      case Trust::kOne:
        weights[k] = 1;
        break;
    }
    if (options.objective == Objective::kPeak) weights[k] *= peak[k];
  }
  return weights;
}

std::vector<float> deferral_weight_table(std::span<const ExpertProfile> profiles,
                                         const IfdOptions& options) {
  const std::size_t experts = profiles.size();
  const std::size_t classes = profiles.front().classes();
  std::vector<float> table(classes * experts);
  for (std::size_t j = 0; j < experts; ++j) {
    const auto weights = deferral_weights(profiles[j], options);
    for (std::size_t k = 0; k < classes; ++k)
      table[k * experts + j] = static_cast<float>(weights[k]);
  }
  return table;
}

TrainedPolicy train_ifd(const Predictions& training, std::span<const ExpertContext> contexts,
                        const Validation& validation, const IfdOptions& options,
                        const Schedule& schedule, const Observer& observer,
                        const Support& support) {
  assert(training.has_labels() && validation.experts() == contexts.size());
  const Key key = Key(schedule.seed).with("ifd");
  IfdLearner learner(training, contexts, validation, options, key);
  TrainedPolicy trained;
  trained.summary = fit(learner, training.case_names(), validation, schedule, observer, support);
  trained.tensors = parameters_of(learner.module(), "layer");
  for (const ExpertContext& context : contexts) trained.annotations += context.rows.size();
  trained.annotations += validation.answers();
  return trained;
}

}  // namespace ifd::train
