// The K + J logits of Multi-Expert L2D: how they are learnt, and the margins they give.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "train/baseline_trainer.h"

namespace ifd::train {

//   logits B x (K+J), labels B (int64), correct B x J (1{m_j = y}).
torch::Tensor head_loss(Surrogate surrogate, const torch::Tensor& logits,
                        const torch::Tensor& labels, const torch::Tensor& correct);

// The chance of K + j minus the largest of the K classes, N x J row by row.
std::vector<double> head_margins(Surrogate surrogate, const torch::Tensor& logits,
                                 std::int64_t classes);

}  // namespace ifd::train
