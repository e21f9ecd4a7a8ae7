#include "train/training_loop.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "ifd/error.h"
#include "train/context_sampler.h"
#include "train/distributed.h"
#include "train/fused_adam.h"
#include "train/threads.h"
#include "train/training_state.h"

namespace ifd::train {
namespace {

torch::Tensor order_of_epoch(std::span<const std::string> names, const Key& key) {
  const auto order = sample_names(names, names.size(), key);
  const auto rows = torch::empty({static_cast<std::int64_t>(order.size())}, torch::kInt64);
  std::copy(order.begin(), order.end(), rows.data_ptr<std::int64_t>());
  return rows;
}

Error not_finite(const char* what, std::size_t epoch) {
  return bad_input(fmt::format(
      "the {} of epoch {} is not finite; expected a number (try a smaller learning rate)", what,
      epoch));
}

std::vector<double> finite_margins(Learner& learner, std::size_t epoch) {
  std::vector<double> margins = learner.validation_margins();
  for (const double margin : margins) {
    if (!std::isfinite(margin)) throw not_finite("validation margin", epoch);
  }
  return margins;
}

// A team of one.
class Alone final : public GradientExchange {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }
  void sum(const std::vector<torch::Tensor>&) override {}
  void share(const std::vector<torch::Tensor>&) override {}
};

// This process's part of a batch; empty where there are more processes than cases.
torch::Tensor slice_of(const torch::Tensor& rows, const GradientExchange& team) {
  const std::int64_t n = rows.numel();
  const auto rank = static_cast<std::int64_t>(team.rank());
  const auto size = static_cast<std::int64_t>(team.size());
  return rows.slice(0, n * rank / size, n * (rank + 1) / size);
}

// Leaves the gradient of the mean loss over all `rows` in the parameters, summed over the team, and
// returns that loss.
double backward(Learner& learner, const torch::Tensor& rows, std::size_t batch,
                GradientExchange& team) {
  const auto mine = slice_of(rows, team);
  const auto parameters = learner.module().parameters();
  auto value = torch::zeros({}, parameters.front().options());
  if (mine.numel() > 0) {
    auto loss = learner.loss(mine, batch);
    if (team.size() > 1) {
      loss = loss * (static_cast<double>(mine.numel()) / static_cast<double>(rows.numel()));
    }
    loss.backward();
    value.copy_(loss.detach());
  }
  if (team.size() > 1) {
    std::vector<torch::Tensor> summed;
    for (const auto& parameter : parameters) {
      if (!parameter.grad().defined()) parameter.mutable_grad() = torch::zeros_like(parameter);
      summed.push_back(parameter.grad());
    }
    summed.push_back(value);
    team.sum(summed);
  }
  return value.item<double>();
}

double score_of(Learner& learner, const Validation& validation, std::size_t epoch,
                std::uint64_t seed) {
  const auto margins = finite_margins(learner, epoch);
  auto probabilities = learner.validation_probabilities();
  return probabilities.empty()
             ? validation.aursac(margins, seed)
             : validation.with_probabilities(std::move(probabilities)).aursac(margins, seed);
}

// The leading process's score, for all.
double validated(Learner& learner, const Validation& validation, std::size_t epoch,
                 std::uint64_t seed, GradientExchange& team) {
  const auto score = torch::zeros({}, torch::kFloat64);
  if (team.rank() == 0) score.fill_(score_of(learner, validation, epoch, seed));
  team.share({score});
  return score.item<double>();
}

// The training ends as soon as one process wants it to.
bool anyone_stops(Continue verdict, GradientExchange& team) {
  const auto votes = torch::full({}, verdict == Continue::kNo ? 1 : 0, torch::kFloat64);
  team.sum({votes});
  return votes.item<double>() > 0;
}

}  // namespace

std::vector<torch::optim::OptimizerParamGroup> Learner::parameter_groups(double learning_rate) {
  return {{module().parameters(), std::make_unique<torch::optim::AdamOptions>(learning_rate)}};
}

TrainingSummary fit(Learner& learner, std::span<const std::string> case_names,
                    const Validation& validation, const Schedule& schedule,
                    const Observer& observer, const Support& support) {
  use_threads(schedule.threads);
  std::optional<OneThread> one;
  if (learner.sharing() == Sharing::kTasks) one.emplace();
  Alone alone;
  GradientExchange& team = support.team != nullptr ? *support.team : alone;
  torch::nn::Module& module = learner.module();
  FusedAdam adam(learner.parameter_groups(schedule.learning_rate),
                 torch::optim::AdamOptions(schedule.learning_rate));
  EarlyStopping stopping(schedule.patience);
  TrainingSummary summary;
  std::vector<torch::Tensor> best_weights;
  if (support.resume != nullptr) {
    check_progress(*support.resume, schedule, case_names.size());
    summary = support.resume->summary;
    best_weights = restore(module, adam, *support.resume);
  } else {
    team.share(numbers_of(module));
    // The start is a candidate too: a head that begins at a good rule need not leave it.
    summary.start_aursac = validated(learner, validation, 0, schedule.seed, team);
    summary.best_aursac = summary.start_aursac;
    best_weights = copy_of(module);
  }
  stopping.improves(summary.start_aursac);
  for (const EpochReport& epoch : summary.epochs) stopping.improves(epoch.aursac);

  const Key key = Key(schedule.seed).with("batches");
  for (std::size_t epoch = summary.epochs.size() + 1;
       epoch <= schedule.epochs && !stopping.exhausted(); ++epoch) {
    learner.begin_epoch(epoch);
    double loss_sum = 0;
    std::size_t batch = 0;
    const auto order = order_of_epoch(case_names, key.with(epoch));
    const auto batches = order.split(static_cast<std::int64_t>(schedule.batch));
    for (const auto& rows : batches) {
      adam.zero_grad();
      const double loss = backward(learner, rows, batch++, team);
      if (!std::isfinite(loss)) throw not_finite("loss", epoch);
      adam.step();
      loss_sum += loss * static_cast<double>(rows.numel());
      if (support.heard_batch) support.heard_batch(summary, {batch, batches.size()});
    }
    const double aursac = validated(learner, validation, epoch, schedule.seed, team);
    const bool best = stopping.improves(aursac);
    if (best) {
      best_weights = copy_of(module);
      summary.best_epoch = epoch;
      summary.best_aursac = aursac;
    }
    summary.epochs.push_back(
        {epoch, loss_sum / static_cast<double>(case_names.size()), aursac, best});
    const Continue verdict = observer ? observer(summary.epochs.back()) : Continue::kYes;
    const bool stopped = anyone_stops(verdict, team);
    if (support.keep_checkpoint && team.rank() == 0 &&
        (stopped || (support.checkpoint_due && support.checkpoint_due()))) {
      support.keep_checkpoint(checkpoint_of(module, adam, best_weights, summary));
    }
    summary.interrupted = stopped;
    if (stopped) break;
  }
  if (support.keep_last && support.keep_checkpoint && !summary.interrupted && team.rank() == 0) {
    support.keep_checkpoint(checkpoint_of(module, adam, best_weights, summary));
  }
  restore(module, best_weights);
  return summary;
}

}  // namespace ifd::train
