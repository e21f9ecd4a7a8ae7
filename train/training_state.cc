#include "train/training_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ifd/data/utf8.h"
#include "ifd/error.h"
#include "train/tensor_exchange.h"

namespace ifd::train {
namespace {

using AdamState = torch::optim::AdamParamState;

// Names and tensors of parameters, then buffers.
std::vector<std::pair<std::string, torch::Tensor>> named_numbers(const torch::nn::Module& module) {
  std::vector<std::pair<std::string, torch::Tensor>> all;
  for (const auto& item : module.named_parameters()) all.emplace_back(item.key(), item.value());
  for (const auto& item : module.named_buffers()) all.emplace_back(item.key(), item.value());
  return all;
}

// Floats hold what a policy file holds. A buffer that counts batches is exact up to 2^24.
Tensor plain(const std::string& name, const torch::Tensor& tensor) {
  const auto values = tensor.detach().to(torch::kFloat32).contiguous();
  Tensor made{name, {}, {}};
  for (const auto extent : values.sizes()) made.shape.push_back(static_cast<std::size_t>(extent));
  made.values.assign(values.data_ptr<float>(), values.data_ptr<float>() + values.numel());
  return made;
}

std::string state_key(const torch::Tensor& parameter) {
  return c10::guts::to_string(parameter.unsafeGetTensorImpl());
}

class Lookup {
 public:
  explicit Lookup(const Checkpoint& checkpoint) : tensors_(checkpoint.tensors) {}

  torch::Tensor like(const torch::Tensor& wanted, const std::string& name) {
    const auto found = std::ranges::find(tensors_, name, &Tensor::name);
    if (found == tensors_.end() ||
        !std::ranges::equal(found->shape, wanted.sizes(), [](std::size_t a, std::int64_t b) {
          return static_cast<std::int64_t>(a) == b;
        })) {
      throw Error(ErrorKind::kConflict,
                  fmt::format("the checkpoint has no tensor '{}' of the shape this net has; "
                              "expected the checkpoint of a net like it",
                              name));
    }
    used_.insert(name);
    // In the memory order of `wanted`, in which kernels may round differently.
    return torch::empty_like(wanted).copy_(tensor_of(found->values, wanted.sizes()));
  }

  void check_all_used() const {
    for (const Tensor& tensor : tensors_) {
      if (used_.contains(tensor.name)) continue;
      throw Error(ErrorKind::kCorruptFile,
                  fmt::format("the checkpoint's tensor '{}' has no place in the net",
                              excerpt(tensor.name)));
    }
  }

 private:
  const std::vector<Tensor>& tensors_;
  std::set<std::string> used_;
};

}  // namespace

std::vector<torch::Tensor> numbers_of(const torch::nn::Module& module) {
  std::vector<torch::Tensor> all;
  for (const auto& [name, tensor] : named_numbers(module)) all.push_back(tensor.detach());
  return all;
}

std::vector<torch::Tensor> copy_of(const torch::nn::Module& module) {
  std::vector<torch::Tensor> copies;
  for (const auto& [name, tensor] : named_numbers(module))
    copies.push_back(tensor.detach().clone());
  return copies;
}

void restore(torch::nn::Module& module, const std::vector<torch::Tensor>& copies) {
  const torch::NoGradGuard guard;
  const auto numbers = named_numbers(module);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i].second.copy_(copies[i]);
}

Checkpoint checkpoint_of(const torch::nn::Module& module, const torch::optim::Adam& adam,
                         const std::vector<torch::Tensor>& best, const TrainingSummary& summary) {
  Checkpoint made{summary, {}, {}};
  const auto numbers = named_numbers(module);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto& [name, tensor] = numbers[i];
    made.tensors.push_back(plain("now/" + name, tensor));
    made.tensors.push_back(plain("best/" + name, best[i]));
  }
  for (const auto& item : module.named_parameters()) {
    const auto found = adam.state().find(state_key(item.value()));
    if (found == adam.state().end()) {
      made.adam_steps.push_back(0);
      continue;
    }
    const auto& state = static_cast<const AdamState&>(*found->second);
    made.adam_steps.push_back(state.step());
    made.tensors.push_back(plain("moment1/" + item.key(), state.exp_avg()));
    made.tensors.push_back(plain("moment2/" + item.key(), state.exp_avg_sq()));
  }
  return made;
}

std::vector<torch::Tensor> restore(torch::nn::Module& module, torch::optim::Adam& adam,
                                   const Checkpoint& checkpoint) {
  Lookup lookup(checkpoint);
  std::vector<torch::Tensor> now, best;
  for (const auto& [name, tensor] : named_numbers(module)) {
    now.push_back(lookup.like(tensor, "now/" + name));
    best.push_back(lookup.like(tensor, "best/" + name));
  }
  const auto parameters = module.named_parameters();
  if (checkpoint.adam_steps.size() != parameters.size()) {
    throw Error(ErrorKind::kConflict, fmt::format("the checkpoint has {} parameters; expected {}",
                                                  checkpoint.adam_steps.size(), parameters.size()));
  }
  std::size_t i = 0;
  for (const auto& item : parameters) {
    const std::int64_t step = checkpoint.adam_steps[i++];
    if (step == 0) continue;
    auto state = std::make_unique<AdamState>();
    state->step(step);
    state->exp_avg(lookup.like(item.value(), "moment1/" + item.key()));
    state->exp_avg_sq(lookup.like(item.value(), "moment2/" + item.key()));
    adam.state()[state_key(item.value())] = std::move(state);
  }
  lookup.check_all_used();
  const TrainingSummary& summary = checkpoint.summary;
  if (summary.best_epoch == summary.epochs.size() && !std::ranges::equal(now, best, at::equal)) {
    throw Error(ErrorKind::kCorruptFile,
                fmt::format("the checkpoint's best weights are not those of epoch {}; expected the "
                            "same, since it is the best",
                            summary.best_epoch));
  }
  restore(module, now);
  return best;
}

}  // namespace ifd::train
