// Classifier and rejector trained together: the gradient of the deferral loss flows through the
// probabilities that the rejector reads, into the classifier.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

#include "ifd/data/expert_context.h"
#include "ifd/data/read_limits.h"
#include "ifd/profile/expert_profile.h"
#include "train/classifier_inputs.h"
#include "train/early_stopping.h"
#include "train/ifd_trainer.h"
#include "train/image_classifier.h"
#include "train/schedule.h"
#include "train/support.h"

namespace ifd::train {

// The states of identity-free deferral as functions of the classifier's probabilities. Roles are
// chosen by the exact rule (TieRule::kByReadings), without a gradient; what is read at them has
// one.
class DifferentiableRoles {
 public:
  DifferentiableRoles(std::span<const ExpertProfile> profiles, StateSet state,
                      torch::Dtype type = torch::kFloat32);

  // N x J x 6 or 12, in the order of RoleState and ExtendedRoleState. rho and log_rho are N x K.
  torch::Tensor states(const torch::Tensor& rho, const torch::Tensor& log_rho) const;
  // log sum_y rho_y mu_y, N x J.
  torch::Tensor log_expected_accuracy(const torch::Tensor& log_rho) const;

 private:
  StateSet state_;
  torch::Tensor means_, variances_;  // J x K
  torch::Tensor ranks_;              // J x K, int64: (mu, -sigma^2), the better the larger
  torch::Tensor best_;               // J x K, bool: the classes that compete for k_best
  torch::Tensor mean_gaps_;          // J
};

// How the classifier goes on learning; the schedule's learning rate is the rejector's.
struct ClassifierUpdate {
  double learning_rate = kClassifierRate;  // of Adam
  Augmentation augmentation;
};

// A pretrained classifier with the images it goes on learning from, and what it says of them now.
struct JointImages {
  BackboneClassifier classifier;
  ClassifierInputs training, validation;
  Predictions training_predictions, validation_predictions;
};

// The part of a Lesson that a classifier learns from; its rejector's training cases are those of
// `images`.
struct JointLesson {
  JointImages& images;
  ClassifierUpdate update;
};

// The train and val splits of a file in MedMNIST layout.
JointImages read_joint_images(const std::filesystem::path& model,
                              const std::filesystem::path& images, const ReadLimits& limits = {});

// Leaves `images.classifier` with the weights that, together with the rejector handed back, had the
// best validation AURSAC; those it began with count as epoch 0. `validation` holds the cases of
// images.validation.
//
// g = log rho, as the policy will read it from predictions. The classifier runs as it will be used:
// norms keep their statistics and nothing is dropped, so that the states are those of use.
TrainedPolicy train_joint(JointImages& images, std::span<const ExpertContext> contexts,
                          const Validation& validation, const IfdOptions& options,
                          const ClassifierUpdate& update, const Schedule& schedule,
                          const Observer& observer = {}, const Support& support = {});

}  // namespace ifd::train
