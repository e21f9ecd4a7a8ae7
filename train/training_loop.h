// One loop for every method: batches, Adam, early stopping, the best weights kept.
#pragma once

#include <torch/nn/module.h>
#include <torch/optim/optimizer.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "train/early_stopping.h"
#include "train/schedule.h"
#include "train/support.h"

namespace ifd::train {

// What threads share: tasks cut by us (threads.h), which leaves no trace in the bits, or every
// operation of LibTorch, cut as it likes: faster for convolutions.
enum class Sharing { kTasks, kOperations };

// A method while it learns.
class Learner {
 public:
  virtual ~Learner() = default;
  virtual torch::nn::Module& module() = 0;
  virtual Sharing sharing() const { return Sharing::kTasks; }
  // Before the batches of an epoch; epochs count from 1.
  virtual void begin_epoch(std::size_t epoch) = 0;
  // The mean loss of the training cases `rows` (int64), differentiable.
  virtual torch::Tensor loss(const torch::Tensor& rows, std::size_t batch) = 0;
  // N x J margins of the validation cases, without gradients.
  virtual std::vector<double> validation_margins() = 0;
  // N x K: what the classifier said of the validation cases in the last validation_margins(); empty
  // where it does not learn.
  virtual std::vector<float> validation_probabilities() { return {}; }
  // The module's parameters with the rates of Adam they learn at.
  virtual std::vector<torch::optim::OptimizerParamGroup> parameter_groups(double learning_rate);
};

// Leaves the learner's module with the weights that had the best validation AURSAC; those it began
// with count as epoch 0.
//
// Interrupted by the observer and resumed from the checkpoint kept then, it ends with the same bits
// as without the interruption. A team shares the batches of a learner whose loss is a mean over
// cases that do not see each other.
//
// Batches are drawn by (seed, epoch, case name). The same inputs and seed give the same weights to
// the last bit on the same machine and libraries, whatever the number of threads where these share
// tasks. A loss that is not finite is an Error(kBadInput) that names the
// epoch.
TrainingSummary fit(Learner& learner, std::span<const std::string> case_names,
                    const Validation& validation, const Schedule& schedule,
                    const Observer& observer, const Support& support = {});

}  // namespace ifd::train
