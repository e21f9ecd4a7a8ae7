#include "train/training_loop.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>

#include "ifd/error.h"
#include "train/context_sampler.h"
#include "train/fused_adam.h"

namespace ifd::train {
namespace {

std::vector<torch::Tensor> copy_of(const torch::nn::Module& module) {
  std::vector<torch::Tensor> copies;
  for (const auto& parameter : module.parameters()) copies.push_back(parameter.detach().clone());
  return copies;
}

void restore(torch::nn::Module& module, const std::vector<torch::Tensor>& copies) {
  const torch::NoGradGuard guard;
  const auto parameters = module.parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) parameters[i].copy_(copies[i]);
}

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

}  // namespace

void use_threads(int threads) {
  at::set_num_threads(threads);
  using SetThreads = void (*)(int);
  if (const auto set =
          reinterpret_cast<SetThreads>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) {
    set(threads);
  }
}

TrainingSummary fit(Learner& learner, std::span<const std::string> case_names,
                    const Validation& validation, const Schedule& schedule,
                    const Observer& observer) {
  use_threads(schedule.threads);
  torch::nn::Module& module = learner.module();
  FusedAdam adam(module.parameters(), torch::optim::AdamOptions(schedule.learning_rate));
  EarlyStopping stopping(schedule.patience);
  TrainingSummary summary;
  // The start is a candidate too: a head that begins at a good rule need not leave it.
  summary.best_aursac = validation.aursac(finite_margins(learner, 0), schedule.seed);
  stopping.improves(summary.best_aursac);
  std::vector<torch::Tensor> best_weights = copy_of(module);
  const Key key = Key(schedule.seed).with("batches");
  for (std::size_t epoch = 1; epoch <= schedule.epochs && !stopping.exhausted(); ++epoch) {
    learner.begin_epoch(epoch);
    double loss_sum = 0;
    std::size_t batch = 0;
    const auto order = order_of_epoch(case_names, key.with(epoch));
    for (const auto& rows : order.split(static_cast<std::int64_t>(schedule.batch))) {
      const auto loss = learner.loss(rows, batch++);
      const double value = loss.item<double>();
      if (!std::isfinite(value)) throw not_finite("loss", epoch);
      adam.zero_grad();
      loss.backward();
      adam.step();
      loss_sum += value * static_cast<double>(rows.numel());
    }
    const double aursac = validation.aursac(finite_margins(learner, epoch), schedule.seed);
    const bool best = stopping.improves(aursac);
    if (best) {
      best_weights = copy_of(module);
      summary.best_epoch = epoch;
      summary.best_aursac = aursac;
    }
    summary.epochs.push_back(
        {epoch, loss_sum / static_cast<double>(case_names.size()), aursac, best});
    if (observer && observer(summary.epochs.back()) == Continue::kNo) break;
  }
  restore(module, best_weights);
  return summary;
}

}  // namespace ifd::train
