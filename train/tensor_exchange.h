// Between the core's plain arrays and tensors.
#pragma once

#include <torch/nn/module.h>

#include <span>
#include <string>
#include <vector>

#include "ifd/data/answer_table.h"
#include "ifd/data/predictions.h"
#include "train/trained_policy.h"

namespace ifd::train {

torch::Tensor tensor_of(std::span<const float> values, at::IntArrayRef shape);
torch::Tensor labels_of(const Predictions& predictions);
// 1{m_j = y}, N x J.
torch::Tensor correct_of(const Predictions& cases, const AnswerTable& answers);
// g_k = log rho_k, finite, N x K.
torch::Tensor class_logits_of(const Predictions& predictions);

// The parameters under `prefix`, which is put before their names.
std::vector<Tensor> parameters_of(const torch::nn::Module& module, const std::string& prefix);

// p_perp - max_k p_k over the (K+1)-softmax, N x J row by row.
//   class_logits N x K, deferral_logits N x J.
std::vector<double> probability_margins(const torch::Tensor& class_logits,
                                        const torch::Tensor& deferral_logits);

}  // namespace ifd::train
